/** What texts of a fleet file must look like, by the format that the schema names. */
import {
  dns1123SubdomainProblems,
  labelValueProblems,
  parseGoDuration,
  parseQuantity,
  qualifiedNameProblems,
} from '@flotilla/kube';
import { networkingWord } from './fleet-shape.ts';
import { shown } from './shown.ts';

interface Format {
  /** Completes "… is not". */
  readonly wanted?: string;
  /** Whether `4` means `"4"`. */
  readonly acceptsNumbers?: boolean;
  readonly problem?: (text: string) => string | undefined;
  /** Whether the text is the path of a file, from the directory of the fleet file. */
  readonly isFile?: (text: string) => boolean;
  /** For keys of a map whose values have this format. */
  readonly keyProblem?: (key: string) => string | undefined;
}

const quantityWanted = 'a quantity; write for instance 500m, 4 or 16Gi';
const delayWanted = 'a duration; write for instance 0s, 300ms or 15s';
const durationWanted = 'a duration; write for instance 15s, 5m or 1h30m';

const dayNs = 86_400_000_000_000n;

export const formats: ReadonlyMap<string, Format> = new Map<string, Format>([
  ['quantity', { wanted: quantityWanted, acceptsNumbers: true, problem: quantityProblem }],
  ['duration', { wanted: durationWanted, problem: durationProblem }],
  ['delay', { wanted: delayWanted, problem: delayProblem }],
  ['label-value', { problem: labelValueProblem, keyProblem }],
  ['label-key', { problem: keyProblem }],
  ['annotation-value', { keyProblem }],
  ['node-name', { problem: nodeNameProblem }],
  ['file', { wanted: 'the path of a file', isFile: () => true }],
  ['definitions', { wanted: `${networkingWord} or the path of a file`, isFile: (text) => text !== networkingWord }],
]);

function quantityProblem(text: string): string | undefined {
  try {
    if (parseQuantity(text).sign >= 0) return undefined;
    return `${shown(text)} is negative; write a quantity that is not, for instance 4`;
  } catch {
    return `${shown(text)} is not ${quantityWanted}`;
  }
}

function durationProblem(text: string): string | undefined {
  try {
    if (parseGoDuration(text) > 0n) return undefined;
    return `${shown(text)} is not positive; write for instance 15s`;
  } catch {
    return `${shown(text)} is not ${durationWanted}`;
  }
}

function delayProblem(text: string): string | undefined {
  try {
    const duration = parseGoDuration(text);
    if (duration >= 0n && duration <= dayNs) return undefined;
    return `${shown(text)} must be from 0s to 24h`;
  } catch {
    return `${shown(text)} is not ${delayWanted}`;
  }
}

function labelValueProblem(text: string): string | undefined {
  const [problem] = labelValueProblems(text);
  return problem === undefined
    ? undefined
    : `${shown(text)} cannot be the value of a label: ${withoutPattern(problem)}`;
}

/** A number is added to the name, and a label has it as its value. */
function nodeNameProblem(text: string): string | undefined {
  const [problem] = dns1123SubdomainProblems(`${text}-${'0'.repeat(4)}`).concat(labelValueProblems(`${text}-0000`));
  return problem === undefined
    ? undefined
    : `${shown(text)} cannot begin the name of a node: ${withoutPattern(problem)}`;
}

function keyProblem(key: string): string | undefined {
  const [problem] = qualifiedNameProblems(key);
  return problem === undefined ? undefined : `${shown(key)} cannot be a key: ${withoutPattern(problem)}`;
}

/** Kubernetes' messages end with examples and a regular expression. */
export function withoutPattern(problem: string): string {
  return problem.replace(/ \((?:e\.g\.|regex used).*$/, '');
}
