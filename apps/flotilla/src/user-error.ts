/** An error that the user can fix. Printed as a sentence, without a stack trace. */
export class UserError extends Error {
  override readonly name = 'UserError';
}
