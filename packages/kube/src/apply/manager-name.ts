import { byteLength } from '../go-format.ts';

const maxBytes = 128;

/** What Go's unicode package calls printable. */
const printablePattern = /[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

/** What nearly every client is called: nothing to leave out, and not too long. */
const plainPattern = /^[ -~]{0,128}$/;

/**
 * The name under which a write is recorded: the `fieldManager` parameter, or what the User-Agent says before its first
 * slash. Apply has no such fallback. An empty name is recorded as `unknown`.
 */
export function managerName(fieldManager: string, userAgent: string): string {
  if (fieldManager !== '') return fieldManager;
  const [product = ''] = userAgent.split('/', 1);
  if (plainPattern.test(product)) return product;
  let name = '';
  let bytes = 0;
  for (const character of product) {
    if (!printablePattern.test(character)) continue;
    bytes += byteLength(character);
    if (bytes > maxBytes) break;
    name += character;
  }
  return name;
}
