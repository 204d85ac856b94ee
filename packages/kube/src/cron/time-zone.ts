/** Time zones by name, with Go's rules for what is a name and for times that a change of the clock skips or repeats. */

/** Why a name is not that of a time zone, in Go's words. Names are case-sensitive, as files are. */
export function timeZoneProblem(name: string): string | undefined {
  if (name === '' || name === 'UTC' || name === 'Local') return undefined;
  if (name.split('/').includes('..') || name.startsWith('/') || name.includes('\\'))
    return 'time: invalid location name';
  return isKnownZone(name) ? undefined : `unknown time zone ${name}`;
}

function isKnownZone(name: string): boolean {
  // The engine accepts offsets such as +01:00 as time zones, Go does not.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    return timeZone === name || timeZone.toLowerCase() !== name.toLowerCase();
  } catch {
    return false;
  }
}

/** Dates end here. */
const lastMoment = 8.64e15;

/** Milliseconds to add to a moment in UTC to get the local time of a zone. */
export type ZoneOffset = (moment: number) => number;

/** The name must be known. The local zone of a server is UTC. */
export function zoneOffset(name: string): ZoneOffset {
  if (name === '' || name === 'UTC' || name === 'Local') return () => 0;
  const format = new Intl.DateTimeFormat('en', { timeZone: name, timeZoneName: 'longOffset' });
  let knownQuarter = Number.NaN;
  let known = 0;
  return (moment) => {
    // Clocks change at quarters of an hour, and callers ask about moments that are close together.
    const quarter = Math.floor(moment / 900_000);
    if (quarter !== knownQuarter) {
      known = Math.abs(moment) <= lastMoment ? parseOffset(format.format(moment)) : 0;
      knownQuarter = quarter;
    }
    return known;
  };
}

/** From a text that ends in `GMT`, `GMT+05:30` or `GMT-03:06:28`. */
function parseOffset(text: string): number {
  const match = /GMT([+-])(\d+):(\d+)(?::(\d+))?$/.exec(text);
  if (match === null) return 0;
  const [, sign, hours, minutes, seconds = 0] = match;
  return (sign === '-' ? -1000 : 1000) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
}

/** The moment of a local time, given as if it were UTC. */
export function momentOf(localTime: number, offset: ZoneOffset): number {
  return localTime - offset(localTime - offset(localTime));
}
