export function Mail() {
  return <h1>Mail</h1>
}
