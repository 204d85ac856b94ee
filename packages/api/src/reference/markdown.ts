export function code(text: string): string {
  return `\`${text}\``;
}

/** A table of Markdown cells. A bar would end its cell, even in code. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const lines = rows.map((cells) => cells.map((cell) => cell.replaceAll('|', '\\|')));
  return [heads, heads.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`);
}

export function anchorOf(title: string): string {
  return `#${title.toLowerCase().replaceAll(' ', '-')}`;
}
