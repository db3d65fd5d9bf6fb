/** The account that exists when a browser test starts. */
export const superuser = {
  email: 'owner@example.test',
  username: 'owner',
  password: 'a long and quiet walk',
}
