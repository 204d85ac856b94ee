import { parseGoTime, TimeError, type Instant } from '@flotilla/kube';

const timePattern = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(?:[^\n][0-9]+)?(?:z|[+-][0-9]{2}:[0-9]{2})$/u;

const dateLayout = '2006-01-02';
const dateTimeLayouts = ['2006-01-02T15:04:05Z07:00', '2006-01-02T15:04:05'];

const unixEpoch: Instant = { epochSeconds: 0, nanoseconds: 0 };

export function isDate(text: string): boolean {
  return !(parsed(text, dateLayout) instanceof TimeError);
}

/** The form in which Kubernetes prints times. Leap days and the last day of a month are left to the exact check. */
const usualPattern =
  /^\d{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30))T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

export function isDateTime(text: string): boolean {
  if (usualPattern.test(text)) return true;
  if (text.length < 4) return false;
  const [date = '', time] = text.toLowerCase().split('t', 2);
  if (time === undefined || !isDate(date)) return false;
  const found = timePattern.exec(time);
  return found !== null && (found[1] ?? '') <= '23' && (found[2] ?? '') <= '59' && (found[3] ?? '') <= '59';
}

export function parseDate(text: string): Instant | TimeError {
  return parsed(text, dateLayout);
}

/** Accepts times without a zone, which are in UTC. An empty text is the epoch. */
export function parseDateTime(text: string): Instant | TimeError {
  if (text === '') return unixEpoch;
  let result: Instant | TimeError = unixEpoch;
  for (const layout of dateTimeLayouts) {
    result = parsed(text, layout);
    if (!(result instanceof TimeError)) return result;
  }
  return result;
}

function parsed(text: string, layout: string): Instant | TimeError {
  try {
    return parseGoTime(text, layout);
  } catch (error) {
    if (error instanceof TimeError) return error;
    throw error;
  }
}
