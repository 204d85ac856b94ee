import { labelSelectorFrom, printLabelSelector, type LabelSelectorObject } from '@flotilla/kube';

/** `app=web,tier in (a,b),!old`; empty for a selector that is absent or matches everything. */
export function selectorText(selector: LabelSelectorObject | null | undefined): string {
  try {
    return labelSelectorFrom(selector).toString();
  } catch {
    return '<invalid>';
  }
}

/** The same for most kinds' cells: `<none>` instead of nothing. */
export function selectorCell(selector: LabelSelectorObject | null | undefined): string {
  return printLabelSelector(selector);
}
