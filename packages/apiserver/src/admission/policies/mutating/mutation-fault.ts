/** Why a mutation cannot be applied. The policy's failure policy decides what that means. */
export class MutationFault extends Error {
  override readonly name = 'MutationFault';
}
