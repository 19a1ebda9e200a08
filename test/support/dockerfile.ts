import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What the last stage of the Dockerfile says. */
export interface Image {
  base: string;
  environment: Record<string, string>;
  /** Files and folders of the repository that it copies. */
  copied: string[];
  /** The program with its arguments. */
  command: string[];
}

export async function readImage(): Promise<Image> {
  const file = await readFile(join(import.meta.dirname, '../../Dockerfile'), 'utf8');
  const text = file.replaceAll('\\\n', ' ');
  const linesOf = (instruction: string, stage: string): string[] =>
    stage
      .split('\n')
      .filter((line) => line.startsWith(`${instruction} `))
      .map((line) => line.slice(instruction.length).trim());
  const last = text.slice(text.lastIndexOf('\nFROM '));
  const words = (lines: string[]): string[] => lines.flatMap((line) => line.split(/\s+/));
  return {
    base: linesOf('FROM', text)[0]?.split(' ')[0] ?? '',
    environment: Object.fromEntries(
      words(linesOf('ENV', last)).map((word) => word.split('=') as [string, string]),
    ),
    copied: linesOf('COPY', last)
      .filter((line) => !line.startsWith('--from'))
      .flatMap((line) => line.split(/\s+/).slice(0, -1)),
    command: [...linesOf('ENTRYPOINT', last), ...linesOf('CMD', last)].flatMap(
      (list) => JSON.parse(list) as string[],
    ),
  };
}
