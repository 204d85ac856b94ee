/** Something that whoever typed the command can mend: shown as a sentence, without a stack. */
export class UserFault extends Error {
  override readonly name = 'UserFault';
}
