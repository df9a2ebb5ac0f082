// A retrieval endpoint over a folder of Markdown that tells its stages: server.ts FOLDER PORT, Node 20 or newer
import { readFileSync, readdirSync } from "node:fs"; import { createServer } from "node:http";
type Chunk = { id: string; document: string; heading: string[]; text: string; scope: string[]; words: string[] };
const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
const [folder, port] = process.argv.slice(2), chunks: Chunk[] = [], seen = new Map<string, number>();
for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md")).sort()) {
  const [, front = "", page] = readFileSync(`${folder}/${file}`, "utf8").match(/^(?:---\n(.*?)\n---\n)?(.*)/s)!;
  const parts = page.replace(/^(\S.*)\n==+$/gm, "# $1").replace(/^(\S.*)\n--+$/gm, "## $1").split(/^(#+) (.*)\n$/m);
  for (let at = 1, path: string[] = []; at < parts.length; at += 3) { // a level, a heading, the text below it, and so on
    path.splice(parts[at].length - 1, path.length, parts[at + 1]); if (!parts[at + 2].trim()) continue;
    const slugs = path.slice(+front.includes("title:")).map((part) => words(part).join("-")).join("/");
    const id = slugs ? `${file.slice(0, -3)}#${slugs}` : file.slice(0, -3);
    const scope = words(front.match(/^scope:(.*)/m)?.[1] ?? ""), all = words([parts[at + 2], ...path, ...path, ...path].join(" "));
    chunks.push({ id, document: path[0], heading: [...path], text: parts[at + 2].trim(), scope, words: all });
    for (const word of new Set(all)) seen.set(word, (seen.get(word) ?? 0) + 1);
}}
const average = chunks.flatMap((chunk) => chunk.words).length / chunks.length;
const keyword = (asked: string[], chunk: Chunk) => [...new Set(asked)].reduce((sum, word) => { // BM25
  const n = chunk.words.filter((other) => other === word).length, rare = chunks.length / ((seen.get(word) ?? 0) + 0.5);
  return sum + Math.log(1 + rare) * 2.2 * n / (n + 0.3 + 0.9 * chunk.words.length / average);
}, 0);
function rerank(asked: string[], chunk: Chunk) { // how much of the question stands in the heading, and in the text as one phrase
  const telling = new Set(asked.filter((word) => word.length > 3)), text = ` ${words(chunk.text).join(" ")} `;
  const heading = new Set(words(chunk.heading.slice(1).join(" ")).filter((word) => telling.has(word)));
  const runs = asked.flatMap((_, i) => asked.map((_, j) => (text.includes(` ${asked.slice(i, j + 1).join(" ")} `) ? j + 1 - i : 0)));
  return heading.size / (telling.size || 1) + Math.max(0, ...runs) / (asked.length || 1);
}
function answer({ question, asker, context, limit, params }: Record<string, any>) {
  const asked = words([...context.slice(-2), question].join(" ")), groups = (asker.groups ?? []) as string[];
  const order = (by: typeof keyword, of: Chunk[]) => of.map((c) => ({ ...c, score: by(asked, c) })).sort((a, b) => b.score - a.score);
  const found = order(keyword, chunks.filter(({ scope: s }) => !s.length || s.some((group) => groups.includes(group))));
  found.splice(Math.min(50, found.filter(({ score }) => score > 0).length));
  const again = [...order(rerank, found.slice(0, 20)), ...found.slice(20).map((chunk) => ({ ...chunk, score: null }))];
  const told = (hits: object[]) => (hits as Chunk[]).map(({ scope, words, ...shown }) => shown);
  const stages = [{ name: "keyword", ranking: told(found) }, { name: "rerank", ranking: told(again) }].slice(0, params.rerank ? 2 : 1);
  return { results: stages.at(-1)!.ranking.slice(0, limit), stages };
}
const read = async (request: import("node:http").IncomingMessage) => JSON.parse(Buffer.concat(await request.toArray()).toString());
createServer(async (request, response) => response.end(JSON.stringify(answer(await read(request))))).listen(+port, "127.0.0.1");
