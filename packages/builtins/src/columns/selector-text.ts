/** A label selector as objects carry it, in the form that `kubectl -l` takes. */
export interface LabelSelectorFields {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly SelectorRequirementFields[];
}

export interface SelectorRequirementFields {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** `app=web,tier in (a,b),!old`, sorted by key; empty for a selector that is absent or matches everything. */
export function selectorText(selector: LabelSelectorFields | undefined): string {
  const labels = Object.entries(selector?.matchLabels ?? {}).map(([key, value]) => ({ key, text: `${key}=${value}` }));
  const expressions = (selector?.matchExpressions ?? []).map((one) => ({ key: one.key, text: requirementText(one) }));
  return [...labels, ...expressions]
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ text }) => text)
    .join(',');
}

/** The same for a cell: `<none>` instead of nothing. */
export function selectorCell(selector: LabelSelectorFields | undefined): string {
  return selectorText(selector) || '<none>';
}

function requirementText({ key, operator, values = [] }: SelectorRequirementFields): string {
  switch (operator) {
    case 'In':
      return `${key} in (${[...values].sort().join(',')})`;
    case 'NotIn':
      return `${key} notin (${[...values].sort().join(',')})`;
    case 'DoesNotExist':
      return `!${key}`;
    default:
      return key;
  }
}
