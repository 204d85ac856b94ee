import { decodeUtf8 } from '@flotilla/kube';

/** A `%` that two hexadecimal digits do not follow. */
const brokenEscape = /%(?![0-9A-Fa-f]{2})/;

export function hasBrokenEscape(text: string): boolean {
  return text.includes('%') && brokenEscape.test(text);
}

/** Undefined where Go's parser would refuse. Bytes that are no UTF-8 are no fault: they show as replacement characters. */
export function percentDecoded(text: string): string | undefined {
  if (!text.includes('%')) return text;
  if (brokenEscape.test(text)) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return decodeUtf8(bytesOf(text));
  }
}

function bytesOf(text: string): Uint8Array {
  const octets = text.replace(/%(..)/g, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(octets, 'latin1');
}
