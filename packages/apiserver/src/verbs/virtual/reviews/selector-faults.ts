import type { ResourceAttributes, SelectorAttributes } from '@flotilla/builtins';
import { labelSelectorFrom, parseFieldSelector, parseLabelSelector, SelectorError } from '@flotilla/kube';

type Requirement = NonNullable<SelectorAttributes['requirements']>[number];

/** Selectors that cannot be read do not count, and whoever asked is told. */
export function selectorFaults({ fieldSelector, labelSelector }: ResourceAttributes): string[] {
  return [
    ...faultOf('fieldSelector', fieldSelector, parseFieldSelector, isReadableField),
    ...faultOf('labelSelector', labelSelector, parseLabelSelector, isReadableLabel),
  ];
}

function faultOf(
  field: string,
  selector: SelectorAttributes | undefined,
  parse: (text: string) => unknown,
  isReadable: (requirement: Requirement) => boolean,
): string[] {
  const { rawSelector = '', requirements = [] } = selector ?? {};
  const read = requirements.filter(isReadable).length;
  const isWhole = read === requirements.length && (rawSelector === '' || isRead(() => parse(rawSelector)));
  if (isWhole) return [];
  return [`spec.resourceAttributes.${field} ${read > 0 ? 'partially ignored' : 'ignored'} due to parse error`];
}

/** Of fields only one value can be asked for, or refused. */
function isReadableField({ operator, values = [] }: Requirement): boolean {
  return (operator === 'In' || operator === 'NotIn') && values.length === 1;
}

function isReadableLabel({ key = '', operator = '', values = [] }: Requirement): boolean {
  return isRead(() => labelSelectorFrom({ matchExpressions: [{ key, operator, values: [...values] }] }));
}

function isRead(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch (error) {
    if (error instanceof SelectorError) return false;
    throw error;
  }
}
