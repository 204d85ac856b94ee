import type { Parameter } from './operation.ts';

const text = (name: string, description: string): Parameter => ({ name, in: 'query', type: 'string', description });
const number = (name: string, description: string): Parameter => ({ name, in: 'query', type: 'integer', description });
const flag = (name: string, description: string): Parameter => ({ name, in: 'query', type: 'boolean', description });

export const pathVariables = {
  name: { name: 'name', in: 'path', type: 'string', description: 'Name of the object.' },
  namespace: { name: 'namespace', in: 'path', type: 'string', description: 'Namespace of the object.' },
  path: { name: 'path', in: 'path', type: 'string', description: 'What is asked for behind the proxy.' },
} as const satisfies Record<string, Parameter>;

export const pretty = text('pretty', 'Indents the answer when "true".');

const dryRun = text('dryRun', 'With "All" the request goes through every check, but nothing is stored.');

export const writing: readonly Parameter[] = [
  dryRun,
  text('fieldManager', 'In whose name fields are set.'),
  text('fieldValidation', 'What unknown and repeated fields do: Ignore, Warn or Strict.'),
];

export const patching: readonly Parameter[] = [...writing, flag('force', 'Takes fields from others; only for apply.')];

export const listing: readonly Parameter[] = [
  flag('allowWatchBookmarks', 'Lets a watch send bookmarks.'),
  text('continue', 'Token from the page before.'),
  text('fieldSelector', 'Restricts the objects by their fields.'),
  text('labelSelector', 'Restricts the objects by their labels.'),
  number('limit', 'How many objects a page may have.'),
  text('resourceVersion', 'Which state is read.'),
  text('resourceVersionMatch', 'How resourceVersion is meant: Exact or NotOlderThan.'),
  flag('sendInitialEvents', 'Begins a watch with the state as it is.'),
  text('shardSelector', 'Restricts the objects to a part of all; not in use.'),
  number('timeoutSeconds', 'Ends the request after so many seconds.'),
  flag('watch', 'Sends changes as they happen instead of a list.'),
];

export const getting: readonly Parameter[] = listing.filter(({ name }) => name === 'resourceVersion');

export const deleting: readonly Parameter[] = [
  dryRun,
  number('gracePeriodSeconds', 'Seconds that the object is given; 0 means at once.'),
  flag('ignoreStoreReadErrorWithClusterBreakingPotential', 'Deletes objects that cannot be read any more.'),
  flag('orphanDependents', 'An old way to say propagationPolicy.'),
  text('propagationPolicy', 'What happens to dependents: Orphan, Background or Foreground.'),
];

export const deletingMany: readonly Parameter[] = [
  ...deleting,
  ...listing.filter(({ name }) => name !== 'allowWatchBookmarks' && name !== 'watch'),
];

const container = text('container', 'Which container; the only one when left out.');
const streams: readonly Parameter[] = [
  container,
  flag('stderr', 'Sends what the process writes to standard error.'),
  flag('stdin', 'Gives the process what the client sends.'),
  flag('stdout', 'Sends what the process writes to standard output.'),
  flag('tty', 'Gives the process a terminal.'),
];
const proxied: readonly Parameter[] = [text('path', 'What is asked for behind the proxy.')];

/** Parameters of connections, by the kind of their options. */
export const connecting: Readonly<Record<string, readonly Parameter[]>> = {
  PodAttachOptions: streams,
  PodExecOptions: [text('command', 'The command and its arguments.'), ...streams],
  PodPortForwardOptions: [number('ports', 'The ports to forward.')],
  PodProxyOptions: proxied,
  ServiceProxyOptions: proxied,
  NodeProxyOptions: proxied,
};

export const logging: readonly Parameter[] = [
  container,
  flag('follow', 'Goes on with what is written later.'),
  flag('insecureSkipTLSVerifyBackend', 'Does not check who answers for the node.'),
  number('limitBytes', 'Ends after so many bytes.'),
  flag('previous', 'Shows the container that ran before.'),
  number('sinceSeconds', 'Begins so many seconds ago.'),
  text('stream', 'Which output: All, Stdout or Stderr.'),
  number('tailLines', 'Begins so many lines before the end.'),
  flag('timestamps', 'Begins each line with its time.'),
];
