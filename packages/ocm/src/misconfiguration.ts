/** Something in the spec of a Placement that makes no sense. The message is OCM's. */
export class Misconfiguration extends Error {
  override readonly name = 'Misconfiguration';
}
