/** What a thread does with the answer of a webhook that is too large for it. */

/** An answer, or a patch in it, that would take too long to parse. */
export class TooManyParts extends Error {
  override readonly name = 'TooManyParts';
}

/** Also if the error of a conversion says so. */
export function isTooManyParts(error: unknown): boolean {
  return error instanceof TooManyParts || (error instanceof Error && error.cause instanceof TooManyParts);
}

/** The result of a conversion, or of another attempt if the webhook's answer is too large for this thread. */
export async function unlessTooManyParts<T>(result: Promise<T>, again: () => Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    if (isTooManyParts(error)) return again();
    throw error;
  }
}
