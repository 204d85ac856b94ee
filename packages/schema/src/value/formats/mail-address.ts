import { parseIp } from '@flotilla/kube';

/** Whether Go's `mail.ParseAddress` accepts the text: `a@b.c`, `Name <a@b.c>`, `"a b"@c (comment)`, a group of one. */
export function isMailAddress(text: string): boolean {
  const reader = new AddressReader(text);
  return reader.addresses(true) === 1 && reader.skipComments() && reader.isAtEnd;
}

/** Each method returns whether it found what it is named after. A failed alternative restores the position. */
class AddressReader {
  #rest: string;

  constructor(text: string) {
    this.#rest = text;
  }

  get isAtEnd(): boolean {
    return this.#rest === '';
  }

  /** The number of addresses; 0 also if there is an error. */
  addresses(mayBeGroup: boolean): number {
    this.#skipSpace();
    if (this.#plainAddress()) {
      this.#skipSpace();
      return this.#take('(') && !this.#comment() ? 0 : 1;
    }
    if (this.isAtEnd || (!this.#rest.startsWith('<') && !this.#phrase())) return 0;
    this.#skipSpace();
    if (mayBeGroup && this.#take(':')) return this.#group();
    return this.#take('<') && this.#plainAddress() && this.#take('>') ? 1 : 0;
  }

  /** False if a comment does not end. */
  skipComments(): boolean {
    this.#skipSpace();
    while (this.#take('(')) {
      if (!this.#comment()) return false;
      this.#skipSpace();
    }
    return true;
  }

  #group(): number {
    this.#skipSpace();
    if (this.#take(';')) return 0;
    let count = 0;
    do {
      const found = this.addresses(false);
      if (found === 0 || !this.skipComments()) return 0;
      count += found;
      if (this.#take(';')) return this.skipComments() ? count : 0;
    } while (this.#take(','));
    return 0;
  }

  #plainAddress(): boolean {
    const before = this.#rest;
    const isFound = this.#localPart() && this.#take('@') && this.#domain();
    if (!isFound) this.#rest = before;
    return isFound;
  }

  #localPart(): boolean {
    this.#skipSpace();
    if (!this.#rest.startsWith('"')) return this.#dotAtom();
    return !this.#rest.startsWith('""') && this.#quoted();
  }

  #domain(): boolean {
    this.#skipSpace();
    const literal = this.#match(/^\[([^[\]\\\0-\x20\x7f]*)\]/);
    if (literal === undefined) return this.#dotAtom();
    const address = parseIp(literal.slice(1, -1));
    return address !== undefined && !address.hasLeadingZeros;
  }

  #dotAtom(): boolean {
    const atom = this.#match(atomPattern);
    return atom !== undefined && !atom.startsWith('.') && !atom.endsWith('.') && !atom.includes('..');
  }

  #phrase(): boolean {
    let count = 0;
    for (;;) {
      if (count > 0 && !this.skipComments()) return false;
      this.#skipSpace();
      const isWord = this.#rest.startsWith('"') ? this.#quoted() : this.#match(atomPattern) !== undefined;
      if (!isWord) return count > 0;
      count += 1;
    }
  }

  #quoted(): boolean {
    return this.#match(/^"(?:[\t !#-[\]-~\u0080-\u{10ffff}]|\\[\t -~\u0080-\u{10ffff}])*"/u) !== undefined;
  }

  /** After the opening parenthesis. Comments nest. */
  #comment(): boolean {
    let depth = 1;
    let at = 0;
    for (; at < this.#rest.length && depth > 0; at++) {
      const character = this.#rest[at];
      if (character === '\\' && at + 1 < this.#rest.length) at += 1;
      else if (character === '(') depth += 1;
      else if (character === ')') depth -= 1;
    }
    this.#rest = this.#rest.slice(at);
    return depth === 0;
  }

  #skipSpace(): void {
    this.#match(/^[ \t]+/);
  }

  #take(character: string): boolean {
    if (!this.#rest.startsWith(character)) return false;
    this.#rest = this.#rest.slice(1);
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    const found = pattern.exec(this.#rest)?.[0];
    if (found !== undefined) this.#rest = this.#rest.slice(found.length);
    return found;
  }
}

/** Printable characters without a special meaning. */
const atomPattern = /^[^()<>[\]:;@\\,"\0-\x20\x7f]+/;
