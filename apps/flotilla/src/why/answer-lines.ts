/** How the answers of `flotilla why` are printed. */
import { tableLines, wrapped, type Column } from '../terminal/table.ts';
import { painted, printable, type Terminal, type Tone } from '../terminal/terminal.ts';
import type { WhyAnswers } from './answers.ts';
import type { ClusterAnswer } from './cluster-answer.ts';

const tones: Readonly<Record<ClusterAnswer['chosen'], Tone>> = { yes: 'good', next: 'waiting', no: 'bad' };

const columns: readonly Column<ClusterAnswer>[] = [
  ['CLUSTER', ({ cluster }) => cluster],
  ['CHOSEN', ({ chosen }) => chosen, ({ chosen }) => tones[chosen]],
  ['STATE', ({ state = '' }) => state],
  ['DECIDED BY', ({ decidedBy }) => decidedBy],
  ['WHY', paragraphsOf],
];

/** One row for each cluster. */
export function answerLines(answers: WhyAnswers, terminal: Terminal): string[] {
  const { clusters } = answers;
  const head = titleLines(answers, terminal);
  if (clusters.length === 0) return [...head, 'No clusters found.'];
  return [...head, ...tableLines(clusters, columns, terminal)];
}

/** All that is known about the clusters. */
export function detailLines(answers: WhyAnswers, terminal: Terminal): string[] {
  return [...titleLines(answers, terminal), ...answers.clusters.flatMap((answer) => detailsOf(answer, terminal))];
}

function titleLines({ placement, placementType, policySnapshot, scheduled }: WhyAnswers, terminal: Terminal): string[] {
  const text = `${placement}, ${placementType}, policy snapshot ${policySnapshot}: ${scheduled}.`;
  return [...wrapped(printable(text), terminal.columns ?? Infinity), ''];
}

function paragraphsOf(answer: ClusterAnswer): string[] {
  const { reason, change, also, recorded, message = '' } = answer;
  return [
    reason,
    ...(also.length > 0 ? [`also rejected by ${also.map(({ plugin }) => plugin).join(', ')}`] : []),
    ...(message === '' ? [] : [message]),
    ...(recorded === undefined ? [] : [`the hub recorded: ${recorded}`]),
    ...(change === '' ? [] : [`→ ${change}`]),
  ];
}

const words: Readonly<Record<ClusterAnswer['chosen'], string>> = {
  yes: 'is chosen',
  next: 'would be chosen next',
  no: 'is not chosen',
};

function detailsOf(answer: ClusterAnswer, terminal: Terminal): string[] {
  const { cluster, chosen, state, message = '', recorded } = answer;
  const width = (terminal.columns ?? Infinity) - indent.length;
  const rules = [{ plugin: answer.decidedBy, reason: answer.reason, change: answer.change }, ...answer.also];
  const paragraphs = [
    ...rules.flatMap(({ plugin, reason, change }) => [
      `${plugin}: ${reason}`,
      ...(change === '' ? [] : [`→ ${change}`]),
    ]),
    ...(state === undefined ? [] : [`state: ${state}${message === '' ? '' : `, ${message}`}`]),
    ...(recorded === undefined ? [] : [`the hub recorded: ${recorded}`]),
  ];
  return [
    `${cluster} ${painted(terminal, words[chosen], tones[chosen])}.`,
    ...paragraphs.flatMap((text) => wrapped(printable(text), width)).map((line) => `${indent}${line}`),
  ];
}

const indent = '  ';
