const cardPattern =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35[0-9]{3})[0-9]{11})$/;

export function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, '');
  return cardPattern.test(digits) && luhnSum(digits) % 10 === 0;
}

export function isIsbn10(text: string): boolean {
  const digits = withoutSpaces(text);
  return /^(?:[0-9]{9}X|[0-9]{10})$/.test(digits) && sum(digits, (digit, i) => digit * (i + 1)) % 11 === 0;
}

export function isIsbn13(text: string): boolean {
  const digits = withoutSpaces(text);
  return /^[0-9]{13}$/.test(digits) && sum(digits, (digit, i) => digit * (i % 2 === 0 ? 1 : 3)) % 10 === 0;
}

/** From the right, every second digit is doubled, and the digits of the result are added. */
function luhnSum(digits: string): number {
  return sum(digits, (digit, i) => {
    const counted = (digits.length - i) % 2 === 0 ? digit * 2 : digit;
    return counted > 9 ? counted - 9 : counted;
  });
}

function sum(digits: string, term: (digit: number, index: number) => number): number {
  let total = 0;
  for (const [i, character] of Array.from(digits).entries())
    total += term(character === 'X' ? 10 : Number(character), i);
  return total;
}

function withoutSpaces(text: string): string {
  return text.replace(/[\t\n\f\r -]+/g, '');
}
