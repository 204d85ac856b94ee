/** Draws the tour of the README as the recording of a terminal: writes tour.svg to the folder that the argument names. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const readme = readFileSync(resolve(import.meta.dirname, '../README.md'), 'utf8');
const blocks = [...readme.matchAll(/```console\n([\s\S]*?)```/g)].map(([, text = '']) => text.trimEnd());
const lines = blocks.join('\n\n').split('\n');

const lineHeight = 18;
const characterWidth = 8.05;
const margin = 16;
/** Longer lines are cut, as a terminal without wrapping would. */
const columns = 112;
/** Seconds until the next line appears: after a command, its output comes at once. */
const pauses = { command: 1.2, output: 0.04 };

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

let time = 0;
const texts = lines.map((line, index) => {
  const isCommand = line.startsWith('$ ');
  time += isCommand ? pauses.command : pauses.output;
  const shown = escaped(line.length > columns ? `${line.slice(0, columns - 1)}…` : line);
  const kind = isCommand ? 'command' : 'output';
  const y = margin + (index + 1) * lineHeight;
  return `<text class="${kind}" x="${margin}" y="${y}" style="animation-delay:${time.toFixed(2)}s">${shown}</text>`;
});

const width = Math.ceil(columns * characterWidth + 2 * margin);
const height = lines.length * lineHeight + 2 * margin + 6;
const style = `
  text { font: 13.4px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre; opacity: 0; animation: appear 0.01s forwards }
  .command { fill: #9ece6a }
  .output { fill: #c8d3f5 }
  @keyframes appear { to { opacity: 1 } }
  @media (prefers-reduced-motion: reduce) { text { opacity: 1; animation: none } }
`;
const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="A terminal that runs the tour of the README">
<style>${style}</style>
<rect width="100%" height="100%" rx="8" fill="#1b1e2b"/>
${texts.filter((text) => !text.endsWith('></text>')).join('\n')}
</svg>
`;
writeFileSync(join(process.argv[2] ?? '.', 'tour.svg'), svg);
