/** A question, or a word, over the page. */
import type { ComponentChildren } from "preact"
import { useEffect, useRef } from "preact/hooks"

export const Dialog = ({
  children,
  isOpen,
  onClose,
  title
}: {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ComponentChildren
}) => {
  const node = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (isOpen && node.current?.open === false) node.current.showModal()
    if (!isOpen && node.current?.open === true) node.current.close()
  }, [isOpen])
  return (
    <dialog ref={node} aria-label={title} onClose={onClose}>
      {isOpen && (
        <>
          <h2>{title}</h2>
          {children}
        </>
      )}
    </dialog>
  )
}

/** Nothing is done before this was answered. */
export const Confirm = ({
  ask,
  does,
  isOpen,
  onNo,
  onYes,
  verb
}: {
  readonly ask: string
  readonly does: string
  readonly verb: string
  readonly isOpen: boolean
  readonly onYes: () => void
  readonly onNo: () => void
}) => (
  <Dialog title={ask} isOpen={isOpen} onClose={onNo}>
    <p>{does}</p>
    <div class="acts">
      <button type="button" class="btn" onClick={onNo}>
        No
      </button>
      <button type="button" class="btn main" onClick={onYes}>
        {verb}
      </button>
    </div>
  </Dialog>
)
