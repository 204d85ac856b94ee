import type { ResourceAttributes, SelectorAttributes } from '@flotilla/builtins';
import { labelSelectorFrom, parseFieldSelector, parseLabelSelector, SelectorError } from '@flotilla/kube';

type Requirement = NonNullable<SelectorAttributes['requirements']>[number];

/** Errors about selectors that cannot be parsed, which the review ignores. */
export function selectorFaults({ fieldSelector, labelSelector }: ResourceAttributes): string[] {
  return [
    ...faultOf('fieldSelector', fieldSelector, parseFieldSelector, isValidFieldRequirement),
    ...faultOf('labelSelector', labelSelector, parseLabelSelector, isValidLabelRequirement),
  ];
}

function faultOf(
  field: string,
  selector: SelectorAttributes | undefined,
  parse: (text: string) => unknown,
  isValid: (requirement: Requirement) => boolean,
): string[] {
  const { rawSelector = '', requirements = [] } = selector ?? {};
  const valid = requirements.filter(isValid).length;
  const isComplete = valid === requirements.length && (rawSelector === '' || canParse(() => parse(rawSelector)));
  if (isComplete) return [];
  return [`spec.resourceAttributes.${field} ${valid > 0 ? 'partially ignored' : 'ignored'} due to parse error`];
}

/** A field requirement must have exactly one value. */
function isValidFieldRequirement({ operator, values = [] }: Requirement): boolean {
  return (operator === 'In' || operator === 'NotIn') && values.length === 1;
}

function isValidLabelRequirement({ key = '', operator = '', values = [] }: Requirement): boolean {
  return canParse(() => labelSelectorFrom({ matchExpressions: [{ key, operator, values: [...values] }] }));
}

function canParse(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch (error) {
    if (error instanceof SelectorError) return false;
    throw error;
  }
}
