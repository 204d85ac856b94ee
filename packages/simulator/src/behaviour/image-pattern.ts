/** Whether `nginx:1.26*` means this image. */
export function matchesImage(pattern: string, image: string): boolean {
  const name = pattern.includes('/') ? image : image.slice(image.lastIndexOf('/') + 1);
  return matchesGlob(pattern, hasTag(pattern) ? name : withoutTag(name));
}

function hasTag(pattern: string): boolean {
  return /[:@]/.test(pattern.slice(pattern.lastIndexOf('/') + 1));
}

/** `registry:5000/path/name:tag@digest` without tag and digest. */
function withoutTag(image: string): string {
  const start = image.lastIndexOf('/') + 1;
  const end = image.slice(start).search(/[:@]/);
  return end < 0 ? image : image.slice(0, start + end);
}

/** `*` stands for any characters. Takes linear time for each `*`. */
function matchesGlob(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let position = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, position);
    if (found < 0) return false;
    position = found + part.length;
  }
  return text.length - position >= last.length && text.endsWith(last);
}
