export function Users() {
  return <h1>Users</h1>
}
