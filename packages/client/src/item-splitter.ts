const quotes = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** Enough for `"items": ` and spaces. */
const announcementBytes = 64;

const empty = new Uint8Array();

/** Items are inside the list object and inside its array. */
const itemDepth = 2;

/**
 * Splits a list into its items while it arrives. So a list of any size is never one string, and no turn of the event
 * loop parses it whole. Keeps the frame around the items: metadata may come before or after them.
 */
export class ItemSplitter {
  readonly #frame: Uint8Array[] = [];
  /** Earlier chunks of an item that is not complete. */
  #begun: Uint8Array[] = [];
  #depth = 0;
  #isInItems = false;
  #isInString = false;
  #isEscaped = false;

  /** Returns the items that this chunk completes. */
  push(piece: Uint8Array): Uint8Array[] {
    const items: Uint8Array[] = [];
    // Start of the item or frame part in this chunk.
    let start = 0;
    for (let at = 0; at < piece.length; at++) {
      if (this.#isInString) {
        at = this.#endOfString(piece, at);
        continue;
      }
      switch (piece[at] ?? 0) {
        case quotes:
          this.#isInString = true;
          break;
        case openBrace:
          if (this.#isInItems && this.#depth === itemDepth) start = at;
          this.#depth++;
          break;
        case openBracket:
          this.#depth++;
          if (this.#depth === itemDepth && this.#announcesItems(piece.subarray(start, at))) {
            this.#frame.push(piece.subarray(start, at + 1));
            this.#isInItems = true;
          }
          break;
        case closeBrace:
          this.#depth--;
          if (this.#isInItems && this.#depth === itemDepth) items.push(this.#wholeItem(piece.subarray(start, at + 1)));
          break;
        case closeBracket:
          this.#depth--;
          if (this.#isInItems && this.#depth < itemDepth) {
            this.#isInItems = false;
            start = at;
          }
          break;
        default:
      }
    }
    this.#keepRest(piece, start);
    return items;
  }

  /** The list without its items. */
  frame(): Uint8Array {
    return Buffer.concat(this.#frame);
  }

  /** Index of the closing quote, or the end of the chunk. */
  #endOfString(piece: Uint8Array, from: number): number {
    const start = this.#isEscaped ? from + 1 : from;
    this.#isEscaped = false;
    for (let at = start; ; at++) {
      at = nextQuotes(piece, at);
      const isEscaped = backslashesBefore(piece, at, start) % 2 === 1;
      if (at < piece.length && isEscaped) continue;
      this.#isInString = at >= piece.length;
      this.#isEscaped = isEscaped;
      return at;
    }
  }

  /** Checks the last bytes only: a frame may contain any number of lists. */
  #announcesItems(rest: Uint8Array): boolean {
    const before = [rest.subarray(-announcementBytes)];
    let bytes = before[0]?.length ?? 0;
    for (let at = this.#frame.length - 1; at >= 0 && bytes < announcementBytes; at--) {
      const piece = this.#frame[at]?.subarray(bytes - announcementBytes) ?? empty;
      before.unshift(piece);
      bytes += piece.length;
    }
    return /"items"\s*:\s*$/.test(Buffer.concat(before).toString('latin1'));
  }

  #wholeItem(rest: Uint8Array): Uint8Array {
    if (this.#begun.length === 0) return rest;
    const item = Buffer.concat([...this.#begun, rest]);
    this.#begun = [];
    return item;
  }

  #keepRest(piece: Uint8Array, start: number): void {
    if (!this.#isInItems) this.#frame.push(piece.subarray(start));
    else if (this.#depth > itemDepth) this.#begun.push(piece.subarray(start));
  }
}

/** For short strings a loop in JavaScript is faster than a call of `indexOf`. */
const shortBytes = 32;

function nextQuotes(piece: Uint8Array, from: number): number {
  const end = Math.min(from + shortBytes, piece.length);
  for (let at = from; at < end; at++) if (piece[at] === quotes) return at;
  const found = piece.indexOf(quotes, end);
  return found < 0 ? piece.length : found;
}

function backslashesBefore(piece: Uint8Array, at: number, start: number): number {
  let count = 0;
  while (at - count > start && piece[at - count - 1] === backslash) count++;
  return count;
}
