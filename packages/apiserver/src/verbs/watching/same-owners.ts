const key = Buffer.from('"ownerReferences":[');
const [quote, backslash, opening, closing] = Buffer.from('"\\[]');

/**
 * Whether two states of an object, as JSON bytes, have the same owner references, byte for byte. Needs no parsing: inside a
 * string the quotes would be escaped, so the search finds only keys.
 */
export function hasSameOwners(before: Uint8Array, after: Uint8Array): boolean {
  const a = bufferOf(before);
  const b = bufferOf(after);
  let atA = a.indexOf(key);
  let atB = b.indexOf(key);
  while (atA >= 0 && atB >= 0) {
    const length = commonListLength(a, atA, b, atB);
    if (length === 0) return false;
    atA = a.indexOf(key, atA + length);
    atB = b.indexOf(key, atB + length);
  }
  return atA < 0 && atB < 0;
}

/** The length of the key and its list; 0 if the lists differ. */
function commonListLength(a: Buffer, atA: number, b: Buffer, atB: number): number {
  let depth = 1;
  let isInString = false;
  for (let at = key.length; atA + at < a.length; at++) {
    const byte = a[atA + at];
    if (byte !== b[atB + at]) return 0;
    if (isInString) {
      if (byte === quote) isInString = false;
      // The byte after a backslash does not end the string.
      else if (byte === backslash && a[atA + ++at] !== b[atB + at]) return 0;
    } else if (byte === quote) isInString = true;
    else if (byte === opening) depth++;
    else if (byte === closing && --depth === 0) return at + 1;
  }
  return 0;
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
