/** What the keys do. */
import { isHelpOpen } from "../core/keys.ts"
import { Dialog } from "./Dialog.tsx"

const keys: readonly (readonly [string, string])[] = [
  ["j k", "next and previous row or call"],
  ["Enter", "open what is selected"],
  ["← →", "a fact, a moment"],
  ["w s", "closer, wider"],
  ["a d", "earlier, later"],
  ["f", "frame what is selected, or everything"],
  ["space", "follow, or stop following"],
  ["1 … 9", "the views"],
  ["c m", "chains, metrics"],
  ["/", "search"],
  ["t", "light or dark"],
  ["Esc", "back"],
  ["?", "this"]
]

export const Help = () => {
  const close = (): void => {
    isHelpOpen.value = false
  }
  return (
    <Dialog title="Keys" isOpen={isHelpOpen.value} onClose={close}>
      <table>
        <tbody>
          {keys.map(([key, does]) => (
            <tr key={key}>
              <td>
                <kbd>{key}</kbd>
              </td>
              <td>{does}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div class="acts">
        <button type="button" class="btn" onClick={close}>
          Close
        </button>
      </div>
    </Dialog>
  )
}
