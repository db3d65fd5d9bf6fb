/** Who exists when a browser test begins. */
export const superuser = {
  email: 'owner@example.test',
  username: 'owner',
  password: 'a long and quiet walk',
}
