import { apiErrors, forbidden, notSupported, type FieldError } from '@flotilla/kube';
import { integerParameter } from './integer-parameter.ts';
import type { Query } from './query.ts';
import { refuse } from './write-options.ts';

/** What a list or watch asks for, besides its selectors. */
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

export function listOptions(query: Query, isWatch: boolean): ListOptions {
  const match = query.get('resourceVersionMatch') ?? '';
  const options: ListOptions = {
    ...plain,
    resourceVersion: query.get('resourceVersion') ?? '',
    resourceVersionMatch: match as ListOptions['resourceVersionMatch'],
    limit: Math.max(0, integerParameter(query, 'limit') ?? 0),
    continueToken: query.get('continue') ?? '',
    timeoutSeconds: integerParameter(query, 'timeoutSeconds'),
    allowWatchBookmarks: query.flag('allowWatchBookmarks') === true,
    sendInitialEvents: query.flag('sendInitialEvents'),
  };
  refuse('ListOptions', isWatch ? watchErrors(options) : listErrors(options));
  if (options.continueToken !== '' && options.resourceVersion !== '' && options.resourceVersion !== '0') {
    throw apiErrors.badRequest('specifying resource version is not allowed when using continue');
  }
  return options;
}

const matches = ['Exact', 'NotOlderThan', ''];

function listErrors({
  resourceVersion,
  resourceVersionMatch: match,
  continueToken,
  sendInitialEvents,
}: ListOptions): FieldError[] {
  const errors: FieldError[] = [];
  if (sendInitialEvents !== undefined) {
    errors.push(forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  }
  if (match === '') return errors;
  const field = 'resourceVersionMatch';
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
    if (continueToken !== '') {
      errors.push(forbidden(field, 'resourceVersionMatch is forbidden when continue is provided'));
    }
  }
  return errors;
}
