let lastSecond = -1;
let lastText = '';

/** A time as objects carry it: RFC 3339 in UTC, to the second. Within a second all writes share the text. */
export function wireTime(time: Date): string {
  const second = Math.floor(time.getTime() / 1000);
  if (second !== lastSecond) {
    lastText = `${time.toISOString().slice(0, 19)}Z`;
    lastSecond = second;
  }
  return lastText;
}
