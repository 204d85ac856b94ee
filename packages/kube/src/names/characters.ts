/** Every write checks names. For a few characters these loops are faster than a regular expression. */

export function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

export function isLower(unit: number): boolean {
  return unit >= 0x61 && unit <= 0x7a;
}

function isUpper(unit: number): boolean {
  return unit >= 0x41 && unit <= 0x5a;
}

export function isLowerOrDigit(unit: number): boolean {
  return isLower(unit) || isDigit(unit);
}

export function isAlphanumeric(unit: number): boolean {
  return isLower(unit) || isDigit(unit) || isUpper(unit);
}

export const dashCode = 0x2d;
export const dotCode = 0x2e;
export const underscoreCode = 0x5f;

export function isEvery(text: string, isAllowed: (unit: number) => boolean): boolean {
  for (let i = 0; i < text.length; i++) {
    if (!isAllowed(text.charCodeAt(i))) return false;
  }
  return true;
}
