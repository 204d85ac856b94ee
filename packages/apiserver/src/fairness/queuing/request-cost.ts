/**
 * Time of the event loop that requests take, estimated in milliseconds on a machine with two cores. `MeasuredCost` corrects the
 * estimates, so that only their relation must be right.
 */
export const getMs = 0.07;

const otherMs = 0.25;
const receivedBytesPerMs = 64 * 1024;
const sentBytesPerMs = 256 * 1024;

/** A change with a body of this size, or a list, whose items are counted when they are sent. */
export function costOfRequest(bodyBytes: number): number {
  return otherMs + bodyBytes / receivedBytesPerMs;
}

export function costOfSending(bytes: number): number {
  return bytes / sentBytesPerMs;
}
