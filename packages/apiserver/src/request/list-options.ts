import { forbidden, notSupported, type FieldError } from '@flotilla/kube';
import { integerParameter } from './integer-parameter.ts';
import type { Query } from './query.ts';
import { refuse } from './write-options.ts';

/** The options of a list or watch, without selectors. */
export interface ListOptions {
  readonly resourceVersion: string;
  readonly resourceVersionMatch: '' | 'Exact' | 'NotOlderThan';
  /** 0: no limit. */
  readonly limit: number;
  readonly continueToken: string;
  readonly timeoutSeconds: number | undefined;
  readonly allowWatchBookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
}

const plain: ListOptions = {
  resourceVersion: '',
  resourceVersionMatch: '',
  limit: 0,
  continueToken: '',
  timeoutSeconds: undefined,
  allowWatchBookmarks: false,
  sendInitialEvents: undefined,
};

function secondsIn(query: Query): number | undefined {
  const seconds = integerParameter(query, 'timeoutSeconds');
  return seconds === undefined ? undefined : Number(seconds);
}

export function listOptions(query: Query, isWatch: boolean): ListOptions {
  const match = query.get('resourceVersionMatch') ?? '';
  const options: ListOptions = {
    ...plain,
    resourceVersion: query.get('resourceVersion') ?? '',
    resourceVersionMatch: match as ListOptions['resourceVersionMatch'],
    limit: Math.max(0, Number(integerParameter(query, 'limit') ?? 0)),
    continueToken: query.get('continue') ?? '',
    timeoutSeconds: secondsIn(query),
    allowWatchBookmarks: query.flag('allowWatchBookmarks') === true,
    sendInitialEvents: query.flag('sendInitialEvents'),
  };
  if (!isWatch) {
    refuse('ListOptions', listErrors(options));
    return options;
  }
  const complete = withWatchDefaults(options);
  refuse('ListOptions', watchErrors(complete));
  return complete;
}

/** A watch without a revision begins with the current state. */
function withWatchDefaults(options: ListOptions): ListOptions {
  const { sendInitialEvents, resourceVersionMatch, resourceVersion } = options;
  const hasNoRevision = resourceVersion === '' || resourceVersion === '0';
  if (sendInitialEvents !== undefined || resourceVersionMatch !== '' || !hasNoRevision) return options;
  return { ...options, sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' };
}

const matches = ['Exact', 'NotOlderThan', ''];

function listErrors({
  resourceVersion,
  resourceVersionMatch: match,
  continueToken,
  sendInitialEvents,
}: ListOptions): FieldError[] {
  const field = 'resourceVersionMatch';
  const errors: FieldError[] = [];
  if (match !== '') {
    if (resourceVersion === '') {
      errors.push(forbidden(field, 'resourceVersionMatch is forbidden unless resourceVersion is provided'));
    }
    if (continueToken !== '') {
      errors.push(forbidden(field, 'resourceVersionMatch is forbidden when continue is provided'));
    }
    if (!matches.includes(match)) errors.push(notSupported(field, match, matches));
    if (match === 'Exact' && resourceVersion === '0') {
      errors.push(forbidden(field, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
    }
  }
  if (sendInitialEvents !== undefined) {
    errors.push(forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  }
  return errors;
}

function watchErrors({ resourceVersionMatch: match, continueToken, sendInitialEvents }: ListOptions): FieldError[] {
  const field = 'resourceVersionMatch';
  const errors: FieldError[] = [];
  if (sendInitialEvents !== undefined && match !== 'NotOlderThan') {
    errors.push(forbidden(field, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'));
  }
  if (match !== '') {
    if (sendInitialEvents === undefined) {
      errors.push(forbidden(field, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'));
    }
    if (match !== 'NotOlderThan') errors.push(notSupported(field, match, ['NotOlderThan']));
    if (continueToken !== '') {
      errors.push(forbidden(field, 'resourceVersionMatch is forbidden when continue is provided'));
    }
  }
  return errors;
}
