import { parseEvents, YAMLException, type Event } from 'js-yaml';
import { maxJsonDepth } from '../json/parse-json.ts';
import { buildDocument, type ParsedYaml } from './document-builder.ts';
import { YamlError, yamlErrorFrom } from './yaml-error.ts';

/** Reads the first document of a text as Kubernetes does: by way of JSON. Throws a YamlError, or a JsonError on the way. */
export function parseYaml(text: string): ParsedYaml {
  const document = firstDocument(text);
  return buildDocument(eventsOf(document), document);
}

function eventsOf(text: string): Event[] {
  try {
    return parseEvents(text, { maxDepth: maxJsonDepth });
  } catch (error) {
    if (error instanceof YAMLException) throw yamlErrorFrom(error, text);
    // The library recurses, so great depth exhausts the stack before it reaches the limit.
    if (error instanceof RangeError) throw new YamlError(`exceeded max depth of ${maxJsonDepth}`);
    throw error;
  }
}

/** Everything before the marker of a second document; what follows is not even looked at. */
function firstDocument(text: string): string {
  let hasStarted = false;
  for (let at = 0; at < text.length;) {
    const newline = text.indexOf('\n', at);
    const end = newline === -1 ? text.length : newline + 1;
    const isMarker = /^(?:---|\.\.\.)(?:\s|$)/.test(text.slice(at, at + 4));
    if (isMarker && hasStarted) return text.slice(0, at);
    hasStarted ||= isMarker || /^\s*[^\s#%]/.test(text.slice(at, end));
    at = end;
  }
  return text;
}
