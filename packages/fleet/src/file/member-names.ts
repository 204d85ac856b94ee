/** `west-{01..20}`: one range, with leading zeros as its first number has them. */
const rangePattern = /^([^{}]*)\{(\d{1,9})\.\.(\d{1,9})\}([^{}]*)$/;

/** The names that a pattern means, or what is wrong with it. */
export function namesIn(pattern: string, limit: number): readonly string[] | { readonly problem: string } {
  const match = rangePattern.exec(pattern);
  if (match === null) return { problem: 'is not a pattern with a range; write for instance west-{01..20}' };
  const [, before = '', from = '', to = '', after = ''] = match;
  const count = Number(to) - Number(from) + 1;
  if (count < 1) return { problem: `has a range that ends before it starts; write for instance {${to}..${from}}` };
  if (count > limit) return { problem: `means ${count} members, too many for a fleet; ${limit} more are possible` };
  const width = from.startsWith('0') ? from.length : 0;
  return Array.from({ length: count }, (_, index) => {
    return `${before}${String(Number(from) + index).padStart(width, '0')}${after}`;
  });
}
