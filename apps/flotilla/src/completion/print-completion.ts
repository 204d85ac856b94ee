import { memberClusters } from '@flotilla/api';
import { discover, loadKubeconfig } from '@flotilla/client';
import { namespaces, type Kind } from '@flotilla/kube';
import { programCommand } from '../command-line.ts';
import { withFlagsAfterCommand } from '../command-words.ts';
import { namedObjects } from '../objects/named-kinds.ts';
import { familyOf } from '../placement-view/find-placement.ts';
import { findServer } from '../session/find-server.ts';
import { withFleet, type Session } from '../session/session.ts';
import { completionOf, type Completion, type ValueSource } from './complete.ts';

/** A user who presses a key does not wait longer. */
const timeout = 2000;

/** Prints what can follow, one word a line. Prints nothing if the server does not answer. */
export async function printCompletion(words: readonly string[]): Promise<void> {
  const program = await programCommand(words);
  const completion = completionOf(program, withFlagsAfterCommand(program, words));
  const found = await wordsIn(completion).catch(() => []);
  const partial = words.at(-1) ?? '';
  const matching = found.filter((word) => word.startsWith(partial)).sort();
  if (matching.length > 0) process.stdout.write(`${matching.join('\n')}\n`);
}

async function wordsIn(completion: Completion): Promise<readonly string[]> {
  if ('words' in completion) return completion.words;
  const { source, options } = completion;
  const { kubeconfig, context } = options;
  const address = { ...(kubeconfig !== undefined && { kubeconfig }), ...(context !== undefined && { context }) };
  if (source === 'contexts') {
    const config = await loadKubeconfig((await findServer({ kubeconfig })).kubeconfig, process.env);
    return [...(config?.contexts.keys() ?? [])];
  }
  const found: string[] = [];
  await withFleet({ ...address, timeout }, async (session) => {
    found.push(...(await valuesOn(session, source, options['namespace'])));
  });
  return found;
}

async function valuesOn(
  session: Session,
  source: Exclude<ValueSource, 'contexts'>,
  namespace: string | undefined,
): Promise<readonly string[]> {
  if (source === 'clusters') return namesOf(session, memberClusters);
  if (source === 'namespaces') return namesOf(session, namespaces);
  if (source === 'placements') return namesOf(session, familyOf(namespace).placement, namespace);
  const { kinds } = await discover(session.hub).all();
  if (source === 'kinds')
    return [...new Set(kinds.filter(({ verbs }) => verbs.includes('list')).map(({ plural }) => plural))];
  const [named] = namedObjects([source.namesOf], kinds);
  return named === undefined ? [] : namesOf(session, named.kind, namespace ?? session.namespace);
}

async function namesOf({ hub, signal }: Session, kind: Kind, namespace?: string): Promise<string[]> {
  const options = { signal, metadataOnly: true, ...(namespace !== undefined && { namespace }) };
  const { items } = await hub.list(kind, options);
  return items.flatMap(({ metadata }) => metadata.name ?? []);
}
