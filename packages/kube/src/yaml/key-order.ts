/** Orders keys as Go's YAML library does: letters last, and numbers inside words by value. */
export function compareYamlKeys(a: string, b: string): number {
  const left = Array.from(a);
  const right = Array.from(b);
  for (let i = 0; i < left.length && i < right.length; i++) {
    const one = left[i] ?? '';
    const other = right[i] ?? '';
    if (one !== other) return compareAt(left, right, i);
  }
  return left.length - right.length;
}

function compareAt(left: readonly string[], right: readonly string[], i: number): number {
  const one = left[i] ?? '';
  const other = right[i] ?? '';
  const isLetter = letterPattern.test(one);
  if (isLetter !== letterPattern.test(other)) return isLetter ? 1 : -1;
  if (isLetter) return codePoint(one) - codePoint(other);
  const isInsideNumber = (one === '0' || other === '0') && hasNumberBefore(left, i);
  const a = numberAt(left, i, isInsideNumber);
  const b = numberAt(right, i, isInsideNumber);
  if (a.value !== b.value) return a.value < b.value ? -1 : 1;
  return a.end - b.end || codePoint(one) - codePoint(other);
}

const letterPattern = /\p{L}/u;
const digitPattern = /[0-9]/;

/** Whether a number other than zero ends here. A zero is an ordinary digit then. */
function hasNumberBefore(characters: readonly string[], i: number): boolean {
  for (let j = i - 1; j >= 0 && digitPattern.test(characters[j] ?? ''); j--) {
    if (characters[j] !== '0') return true;
  }
  return false;
}

function numberAt(characters: readonly string[], start: number, isInside: boolean): { value: bigint; end: number } {
  let end = start;
  while (digitPattern.test(characters[end] ?? '')) end++;
  return { value: BigInt(`${isInside ? '1' : ''}${characters.slice(start, end).join('')}` || '0'), end };
}

function codePoint(character: string): number {
  return character.codePointAt(0) ?? 0;
}
