const MAX_BASE_LENGTH = 58;
const SUFFIX_LENGTH = 5;

/** No vowels, so that no words appear, and nothing that looks like something else. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/** `base` and five random characters. `random` gives numbers from 0 up to but not including 1. */
export function generateName(base: string, random: () => number): string {
  let name = base.slice(0, MAX_BASE_LENGTH);
  for (let i = 0; i < SUFFIX_LENGTH; i++) name += ALPHABET[Math.floor(random() * ALPHABET.length)] ?? '';
  return name;
}
