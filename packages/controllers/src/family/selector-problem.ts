import { labelSelectorFrom, SelectorError, type LabelSelectorObject } from '@flotilla/kube';
import { labelSelectorText } from './go-text.ts';

/** Why a label selector cannot be used, in the words of KubeFleet. `parent` says where it stands. */
export function labelSelectorProblem(selector: LabelSelectorObject | undefined, parent: string): string | undefined {
  try {
    labelSelectorFrom(selector);
    return undefined;
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    return `the labelSelector in ${parent} ${labelSelectorText(selector)} is invalid: ${error.message}`;
  }
}
