/** The variables that the value of a JSON patch may contain. They are replaced in its text, also in keys of objects. */
import { goJson, parseSpelledJson, type JsonValue } from '@flotilla/kube';
import type { LabelledCluster } from './rule-clusters.ts';

const nameVariable = '${MEMBER-CLUSTER-NAME}';
const labelVariablePrefix = '${MEMBER-CLUSTER-LABEL-KEY-';

/** A variable that cannot be replaced. */
export class VariableError extends Error {
  override readonly name = 'VariableError';
}

/** The value with the name and the labels of the cluster in place of their variables. Throws a VariableError. */
export function withVariables(value: JsonValue, { metadata }: LabelledCluster): JsonValue {
  const text = goJson(value, { escapeHtml: false });
  if (!text.includes('${MEMBER-CLUSTER-')) return value;
  const { name = '', labels = {} } = metadata;
  const replaced = withLabels(
    text.replaceAll(nameVariable, () => name),
    name,
    labels,
  );
  // Neither names nor label values contain characters that JSON escapes.
  return parseSpelledJson(replaced).value;
}

function withLabels(text: string, cluster: string, labels: Readonly<Record<string, string>>): string {
  const pieces: string[] = [];
  let end = 0;
  for (let start = text.indexOf(labelVariablePrefix); start !== -1; start = text.indexOf(labelVariablePrefix, end)) {
    const keyStart = start + labelVariablePrefix.length;
    const keyEnd = text.indexOf('}', keyStart);
    if (keyEnd === -1) throw new VariableError(`input ${text} is missing the closing bracket \`}\``);
    const key = text.slice(keyStart, keyEnd);
    const label = Object.hasOwn(labels, key) ? labels[key] : undefined;
    if (label === undefined) throw new VariableError(`label key ${key} not found on cluster ${cluster}`);
    pieces.push(text.slice(end, start), label);
    end = keyEnd + 1;
  }
  pieces.push(text.slice(end));
  return pieces.join('');
}
