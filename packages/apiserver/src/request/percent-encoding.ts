import { decodeUtf8 } from '@flotilla/kube';

/** A `%` without two hexadecimal digits after it. */
const brokenEscape = /%(?![0-9A-Fa-f]{2})/;

export function hasBrokenEscape(text: string): boolean {
  return text.includes('%') && brokenEscape.test(text);
}

/** Returns undefined for text that Go's parser refuses. Invalid UTF-8 becomes replacement characters. */
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
