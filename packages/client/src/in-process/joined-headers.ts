type Headers = Readonly<Record<string, string | readonly string[]>>;

/** Headers in the form in which HTTP would transfer them: the same object, unless a header has several values. */
export function joinedHeaders(headers: Headers): Readonly<Record<string, string>> {
  if (areSingle(headers)) return headers;
  const joined: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    joined[name] = typeof value === 'string' ? value : value.join(', ');
  return joined;
}

/** The headers with several values, which `joinedHeaders` joins. */
export function headerListsIn(headers: Headers): Record<string, readonly string[]> | undefined {
  if (areSingle(headers)) return undefined;
  const lists: Record<string, readonly string[]> = {};
  for (const [name, value] of Object.entries(headers)) if (typeof value !== 'string') lists[name] = value;
  return lists;
}

/** Nearly always true. A loop over the names of such an object allocates nothing. */
function areSingle(headers: Headers): headers is Readonly<Record<string, string>> {
  for (const name in headers) if (typeof headers[name] !== 'string') return false;
  return true;
}
