/** Keys or certificates that a server cannot start with. The message names the file and says what to do. */
export class UnusableCredentials extends Error {
  override readonly name = 'UnusableCredentials';
}
