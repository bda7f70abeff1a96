/** What a rollout of Codex holds besides that of which we tell: known, and of no use here. */

/** Of `event_msg`: beginnings and pieces of what has an end, what items tell as well, and the state of the program itself. */
export const silentEvents: ReadonlySet<string> = new Set(
  `agent_message agent_message_delta agent_message_content_delta agent_reasoning agent_reasoning_delta agent_reasoning_raw_content
  agent_reasoning_raw_content_delta agent_reasoning_section_break reasoning_content_delta reasoning_raw_content_delta task_started task_complete
  turn_started turn_complete turn_diff plan_update plan_delta item_started raw_response_item session_configured shutdown_complete
  exec_command_begin exec_command_output_delta terminal_interaction exec_approval_request apply_patch_approval_request elicitation_request
  request_user_input request_permissions patch_apply_begin patch_apply_updated mcp_tool_call_begin mcp_startup_update mcp_startup_complete
  web_search_begin web_search_end image_generation_begin image_generation_end view_image_tool_call dynamic_tool_call_request
  dynamic_tool_call_response sub_agent_activity collab_agent_spawn_begin collab_agent_spawn_end collab_agent_interaction_begin
  collab_agent_interaction_end collab_waiting_begin collab_waiting_end collab_close_begin collab_close_end collab_resume_begin collab_resume_end
  thread_settings_applied thread_name_updated thread_goal_updated thread_rolled_back entered_review_mode exited_review_mode
  guardian_assessment context_compacted undo_started undo_completed background_event error warning stream_error deprecation_notice
  model_reroute model_verification skills_update_available hook_started hook_completed get_history_entry_response`.split(
    /\s+/
  )
)

/** Of `response_item`: what the model thought, and tools of its provider. */
export const silentItems: ReadonlySet<string> = new Set(
  `reasoning agent_message web_search_call tool_search_call tool_search_output image_generation_call ghost_snapshot compaction
  compaction_summary context_compaction other`.split(/\s+/)
)
