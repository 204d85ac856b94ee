/** Why a name is not that of a time zone, in Go's words. Names are case-sensitive, as files are. */
export function timeZoneProblem(name: string): string | undefined {
  if (name === '' || name === 'UTC' || name === 'Local') return undefined;
  if (name.split('/').includes('..') || name.startsWith('/') || name.includes('\\'))
    return 'time: invalid location name';
  return isKnownZone(name) ? undefined : `unknown time zone ${name}`;
}

function isKnownZone(name: string): boolean {
  // Offsets such as +01:00 are zones to the engine only.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    return timeZone === name || timeZone.toLowerCase() !== name.toLowerCase();
  } catch {
    return false;
  }
}
