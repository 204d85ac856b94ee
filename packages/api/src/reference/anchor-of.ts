/** Where a heading of the same page is. */
export function anchorOf(title: string): string {
  return `#${title.toLowerCase().replaceAll(' ', '-')}`;
}
