const maxBaseLength = 58;
const suffixLength = 5;

/** No vowels, so that no words appear, and nothing that looks like something else. */
const suffixAlphabet = 'bcdfghjklmnpqrstvwxz2456789';

/** `base` and five random characters. `random` gives numbers from 0 up to but not including 1. */
export function generateName(base: string, random: () => number): string {
  let name = base.slice(0, maxBaseLength);
  for (let i = 0; i < suffixLength; i++) name += suffixAlphabet[Math.floor(random() * suffixAlphabet.length)] ?? '';
  return name;
}
