import { execFile } from 'node:child_process';
import { chmod, copyFile, cp, mkdir, readFile, readdir, stat, symlink } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import dockerignore from '@balena/dockerignore';
import type { Instruction } from 'dockerfile-ast';
import { Copy, DockerfileParser, Env, From, Healthcheck, JSONInstruction } from 'dockerfile-ast';

// Executes the Dockerfile in folders: this proves the image's content on machines without
// containers, and the tests cannot drift from it. Unknown instructions are refused.

const ROOT = join(import.meta.dirname, '../..');
/** The image's folder; a folder of this machine represents it. */
const WORKDIR = '/app';
/** npm's settings for the registry, and its cache. */
const REACHES_REGISTRY =
  /^(HOME|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|(https?|no)_proxy|npm_config_(registry|userconfig|cache|cafile))$/i;
const run = promisify(execFile);

export interface Image {
  /** The content of WORKDIR. */
  folder: string;
  environment: Record<string, string>;
  user: { uid: number; gid: number };
  /** The program and its fixed arguments; the program is this process's Node. */
  entrypoint: string[];
  command: string[];
  healthCheck: string[];
}

/** The production image, and the demonstration of the same file. */
export interface Images extends Image {
  demo: Image;
}

type Stage = Image & { name: string | null };

export async function readDockerfile(): Promise<{ text: string; instructions: Instruction[] }> {
  const text = await readFile(join(ROOT, 'Dockerfile'), 'utf8');
  return { text, instructions: DockerfileParser.parse(text).getInstructions() };
}

/** Matches paths that .dockerignore excludes. */
export async function readIgnored(): Promise<(path: string) => boolean> {
  const ignored = dockerignore.default().add(await readFile(join(ROOT, '.dockerignore'), 'utf8'));
  return (path) => ignored.ignores(path);
}

/** Builds the stages in folders under this one, which every user can enter; the last is the image. */
export async function makeImage(under: string): Promise<Images> {
  await chmod(under, 0o755);
  const isIgnored = await readIgnored();
  const stages: Stage[] = [];
  for (const instruction of (await readDockerfile()).instructions) {
    if (instruction instanceof From) stages.push(await beginStage(instruction, stages, under));
    else if (instruction instanceof Copy) await copy(instruction, stages, isIgnored);
    else await applyInstruction(instruction, lastOf(stages));
  }
  const image = lastOf(stages);
  const demo = stages.find(({ name }) => name === 'demo');
  if (demo === undefined) throw new Error('The Dockerfile has no stage for the demonstration.');
  // The image's user may have no access to the checkout.
  const node = join(under, 'node');
  await copyFile(process.execPath, node);
  await chmod(node, 0o755);
  return {
    ...image,
    entrypoint: withNode(image.entrypoint, node),
    healthCheck: withNode(image.healthCheck, node),
    demo: { ...demo, entrypoint: withNode(demo.entrypoint, node) },
  };
}

function lastOf(stages: readonly Stage[]): Stage {
  const last = stages.at(-1);
  if (last === undefined) throw new Error('The Dockerfile does not begin with FROM.');
  return last;
}

function withNode([program = '', ...more]: string[], node: string): string[] {
  if (program !== 'node') throw new Error(`'${program}' is not the node of the image`);
  return [node, ...more];
}

async function beginStage(from: From, stages: readonly Stage[], under: string): Promise<Stage> {
  const folder = join(under, String(stages.length), 'app');
  await mkdir(folder, { recursive: true });
  const base = stages.find(({ name }) => name !== null && name === from.getImage());
  if (base !== undefined) await cp(base.folder, folder, { recursive: true, verbatimSymlinks: true });
  const empty = { environment: {}, user: { uid: 0, gid: 0 }, entrypoint: [], command: [], healthCheck: [] };
  return { ...empty, ...base, folder, name: from.getBuildStage() };
}

async function applyInstruction(instruction: Instruction, stage: Stage): Promise<void> {
  const words = instruction.getArguments().map((word) => word.getValue());
  const list =
    instruction instanceof JSONInstruction
      ? instruction.getJSONStrings().map((one) => one.getJSONValue())
      : [];
  switch (instruction.getKeyword()) {
    case 'RUN':
      return runCommand(words, stage);
    case 'ENV':
      if (!(instruction instanceof Env)) break;
      for (const property of instruction.getProperties()) {
        stage.environment = { ...stage.environment, [property.getName()]: property.getValue() ?? '' };
      }
      return;
    case 'USER': {
      const [uid = NaN, gid = NaN] = (words[0] ?? '').split(':').map(Number);
      stage.user = { uid, gid };
      return;
    }
    case 'ENTRYPOINT':
      stage.entrypoint = list;
      return;
    case 'CMD':
      stage.command = list;
      return;
    case 'HEALTHCHECK':
      if (!(instruction instanceof Healthcheck)) break;
      stage.healthCheck = JSON.parse(words.slice(1).join(' ')) as string[];
      return;
    case 'EXPOSE':
      return;
    case 'WORKDIR':
      if (words[0] === WORKDIR) return;
  }
  throw new Error(`The Dockerfile says what is not known here: ${instruction.toString()}`);
}

/** The packages of a full install are already in the checkout. */
async function runCommand(words: string[], { folder, environment }: Stage): Promise<void> {
  const line = words.join(' ');
  if (line.startsWith('npm ci') && !line.includes('--omit')) {
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
    return;
  }
  const path = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
  const reaching = Object.entries(process.env).filter(([name]) => REACHES_REGISTRY.test(name));
  const own = { ...Object.fromEntries(reaching), PATH: path, npm_config_prefer_offline: 'true' };
  await run('sh', ['-c', line], { cwd: folder, env: { ...environment, ...own } });
}

/**
 * Copies like Docker: a folder means its content. The target is
 * a folder if it ends with a slash or there are several sources.
 */
async function copy(
  instruction: Copy,
  stages: readonly Stage[],
  isIgnored: (path: string) => boolean,
): Promise<void> {
  const words = instruction.getArguments().map((word) => word.getValue());
  const from = instruction.getFromFlag()?.getValue();
  const other = stages.find(({ name }) => name !== null && name === from);
  if (instruction.getFlags().length > (from == null ? 0 : 1) || (from != null && other === undefined)) {
    throw new Error(`The Dockerfile copies in a way that is not known here: ${instruction.toString()}`);
  }
  const target = words.at(-1) ?? '';
  const to = join(lastOf(stages).folder, target);
  for (const source of words.slice(0, -1)) {
    const path = join(other?.folder ?? ROOT, relative(other === undefined ? '.' : WORKDIR, source));
    const isFolder = (await stat(path)).isDirectory();
    const place = !isFolder && (target.endsWith('/') || words.length > 2) ? join(to, basename(path)) : to;
    await mkdir(dirname(place), { recursive: true });
    const filter = (file: string): boolean => other !== undefined || !isIgnored(relative(ROOT, file));
    if (!filter(path)) throw new Error(`.dockerignore leaves out ${source}, which the Dockerfile copies`);
    await cp(path, place, { recursive: true, verbatimSymlinks: true, filter });
  }
}

/** Every path in the folder, with its mode, size and modification time. */
export async function contentOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => !entry.isSymbolicLink())
    .map((entry) => join(entry.parentPath, entry.name));
  const lines = await Promise.all(
    [folder, ...files].map(async (file) => {
      const { mode, size, mtimeMs } = await stat(file);
      return `${relative(folder, file)} ${mode.toString(8)} ${size} ${mtimeMs}`;
    }),
  );
  return lines.sort();
}
