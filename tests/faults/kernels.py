"""Faults of the kinds that kernels have, to be seeded into their text: the checks in tests/native have to catch each.

    name: (file, text in it, what it becomes)

Most show in results, some only to a sanitizer: "thread" is for what only that sees.
"""

from __future__ import annotations

from kernel_fault import Fault
from routines import FAULTS as ROUTINES

FAULTS = ROUTINES | {
    # Products
    "the last columns of a product are nobody's": Fault("product.hpp", "p.cols / ranges + 1", "p.cols / ranges"),
    "ranges of a product overlap": Fault("product.hpp", "std::min((range + 1) * width, p.cols)", "p.cols"),
    "a range begins in the one before": Fault(
        "product.hpp", "if (from > 0) e = std::lower", "if (from > 9) e = std::lower"
    ),
    "terms in another order": Fault(
        "product.hpp",
        "const std::int64_t k = p.x.indices[at];",
        "const std::int64_t k = p.x.indices[at ^= at + 1 < p.x.size && !(at & 1)];",
    ),
    "terms of a sparse product in another order": Fault(
        "product.hpp",
        "terms.begin(), terms.end(), [](const auto& a, const auto& b) { return a.first < b.first; }",
        "terms.rbegin(), terms.rend(), [](const auto& a, const auto& b) { return b.first < a.first; }",
    ),
    "a mask without complement": Fault("product.hpp", "bool(bytes[i]) != complement", "bool(bytes[i])"),
    "a pull that does not ask who is there": Fault("product.hpp", "if (!absent(e)) sum", "sum"),
    "a pull that settles too soon": Fault("semiring.hpp", "if (add == Add::kAny) return true;", "return true;"),
    "a minimum that stays NaN": Fault("semiring.hpp", "return b < a || a != a ? b : a;", "return b < a ? b : a;"),
    "an iso value with a stride": Fault("product.hpp", "values[i * stride]", "values[i]", "address"),
    "a product that cannot be stopped": Fault(
        "product.hpp", "if (at % kAskRows == kAskRows - 1 && signals.tick(id)) return;", ""
    ),
    # Construction
    "a transpose whose blocks count together": Fault(
        "build.hpp", "Offset* const at = at_.data() + block * cols_;", "Offset* const at = at_.data();"
    ),
    "a transpose whose last block stops early": Fault("build.hpp", "if (block == blocks_) return csr_.rows;", ""),
    "blocks of columns in another order": Fault(
        "build.hpp",
        "std::exchange(at[block * keys + key], sum)",
        "std::exchange(at[(blocks - 1 - block) * keys + key], sum)",
    ),
    "the last block of edges stops early": Fault(
        "build.hpp", "return block + 1 == blocks ? size : size / blocks", "return size / blocks"
    ),
    "values stay where they were": Fault(
        "build.hpp", "if (!width) return std::sort", "if (width != 2) return std::sort"
    ),
    "duplicates in another order": Fault(
        "build.hpp", "<< kHalf | Key<Index>(i)", "<< kHalf | Key<Index>(size - 1 - i)"
    ),
    "duplicates kept": Fault(
        "build.hpp", "end < size && row[end] == row[i]", "end < i + 2 && end < size && row[end] == row[i]"
    ),
    "the last of duplicates": Fault("build.hpp", "values, kept, values, i);", "values, kept, values, end - 1);"),
    "gaps where rows were merged": Fault("build.hpp", "end += Offset(lengths[r]);", "end = from + Offset(lengths[r]);"),
    "an end out of range": Fault("build.hpp", "dst[k] >= cols", "dst[k] > cols"),
    "a loop twice": Fault("build.hpp", "if (symmetrize && u != v)", "if (symmetrize)"),
    # Matrices entry by entry
    "ties of a merge are lost": Fault("merge.hpp", "of_b = k <= j;", "of_b = k < j;"),
    "the rest of a row is the other's": Fault("merge.hpp", "std::memset(tags, kOfB", "std::memset(tags, kOfA"),
    "a union takes the second": Fault("merge.hpp", "Op{}(one, two), one)", "two, one)"),
    "an intersection of everything": Fault("merge.hpp", "n += tag == kOfBoth;", "n += tag >= kOfB;", "address"),
    "an iso value of a merge moves on": Fault(
        "merge.hpp",
        "one);\n    x += c.a_stride & -std::int64_t(tag & 1)",
        "one);\n    x += std::int64_t(tag & 1)",
        "address",
    ),
    "the second half of a row stays apart": Fault(
        "merge.hpp", "std::memmove(one.tags, middle, two.tags - middle);", ""
    ),
    "an entry is found one too far": Fault(
        "merge.hpp", "e += *tags & kOfA, g += *tags >> 1;", "e += *tags & kOfA, ++g;"
    ),
    "the edge of a band": Fault(
        "choose.hpp", "band.slope * i + band.high) - from", "band.slope * i + band.high + 1) - from"
    ),
    "a band that is upside down": Fault("choose.hpp", "- from, 0);", "- from, -1);", "address"),
    "values of a band": Fault("choose.hpp", "e.values, starts[i], size);", "e.values, to, size);"),
    "flags of the wrong entries": Fault("choose.hpp", "to += flags[from++]", "to += flags[++from]", "address"),
    "a lane left out": Fault(
        "fold.hpp", "for (std::int64_t l = 0; at + l < size; ++l)", "for (std::int64_t l = 1; at + l < size; ++l)"
    ),
    "an odd lane is forgotten": Fault("fold.hpp", "if (used % 2) lanes", "if (used % 4 == 3) lanes"),
    "columns begin with something": Fault("values.hpp", "return T(-0.0);", "return T(1);"),
    "blocks of columns that are not added": Fault(
        "fold.hpp", "for (std::int64_t block = 1; block < blocks", "for (std::int64_t block = 2; block < blocks"
    ),
    # Products of two matrices
    "a sum that starts from nothing": Fault("sums.hpp", "sums_[j] = identity_;", ""),
    "words past the last": Fault("sums.hpp", "words_(bits_.size() + 64)", "words_(bits_.size())", "address"),
    "words that are not looked at": Fault(
        "sums.hpp", "high_ = std::max(high_, last >> 6)", "high_ = std::max(high_, first >> 6)"
    ),
    "terms of a short row in another order": Fault("sums.hpp", "columns_[at - 1] > j", "columns_[at - 1] >= j"),
    "any sum for the first": Fault("sums.hpp", "bits_[j >> 6] & bit ? sums_[j] : term", "term"),
    "a complement keeps what it forbids": Fault("join.hpp", "*forbidden != indices[at]", "*forbidden >= indices[at]"),
    "blocks side by side in any order": Fault(
        "join.hpp",
        "to = size_, size_ += next.size;",
        "to = size_ ? size_ : 0, size_ += next.size + (next_ == 2);",
        "address",
    ),
    "a product counted twice": Fault("matrix_product.hpp", "count += !(bits[word] & bit)", "count += 1"),
    # Checks of results
    "any long edge for the first": Fault("verify.hpp", "while (e < seen && !first", "while (e != seen && !first"),
    "parents are not looked for": Fault(
        "verify.hpp", "if (u < 0 || c.confirmed[v]) continue;", "if (u < 0 || c.confirmed[v] || v > 50) continue;"
    ),
    "the way back is not seen": Fault("verify.hpp", "degree(u) < degree(v) : u <= v", "degree(u) < degree(v) : u < v"),
    "a list's first gap": Fault("verify.hpp", "while (k < found && !first", "while (k != found && !first"),
    # Random graphs
    "names past the first chunk": Fault("random.hpp", "if (names)\n", "if (names && begin == 0)\n"),
    "a quadrant too many": Fault("random.hpp", "if (int(2 * k) + 1 < scale)", "if (int(2 * k) + 1 <= scale)"),
    # Claims
    "a heavy row's last piece": Fault("claim.hpp", "/ kHeavyPiece + 1;", "/ kHeavyPiece;"),
    "a heavy row's pieces by another": Fault(
        "claim.hpp", "(at - pieces[i]) * kHeavyPiece", "at * kHeavyPiece", "address"
    ),
    "heavy rows that nobody has room for": Fault("claim.hpp", "return at < kHeavyRows;", "return true;"),
    "heavy rows past the room": Fault("claim.hpp", "if (at < kHeavyRows) rows[at] = u;", "rows[at] = u;", "address"),
    "heavy rows left out": Fault("claim.hpp", "if (heavy.count()) claim_heavy", "if (heavy.count() > 1) claim_heavy"),
    "heavy rows are not counted": Fault(
        "claim.hpp", "    claim.flush();\n    sum.add(claim.tally());\n  });\n}", "    claim.flush();\n  });\n}"
    ),
    "a claim without atomic": Fault(
        "claim.hpp",
        "if (!Smallest) return insert_shared(visited_, v);",
        "if (!Smallest) return insert_alone(visited_, v);",
        "thread",
    ),
    "a batch left over": Fault(
        "claim.hpp", "if (++size_ == batch_) flush();", "if (++size_ > batch_) flush();", "address"
    ),
    "the rest of a row longer than a batch": Fault(
        "claim.hpp", "expect();\n      e = stop;", "expect();\n      e = end;"
    ),
    "any parent for the smallest": Fault("claim.hpp", "take_min(parents_ + *e, u);\n", "parents_[*e] = u;\n"),
    "any parent for the smallest, by a team": Fault(
        "claim.hpp", "take_min(parents_ + v, u);", "store(parents_ + v, u);"
    ),
    "a level's bits left behind": Fault("claim.hpp", "level[v >> 6] = 0, visited", "visited"),
    "claims that are not settled": Fault(
        "settle.hpp",
        "if (begin != end_ || level != next_) settle(), begin_ = begin;",
        "if (begin != end_) begin_ = begin;",
    ),
    "claims under the list of the unvisited": Fault("unvisited.hpp", "    claims_.settle();\n", ""),
    "claims of a relabelled graph": Fault(
        "settle.hpp", "settle_by({own_, user_, parents_, {}, 0}", "settle_by({own_, nullptr, parents_, {}, 0}"
    ),
    "claims of the level before": Fault("claim.hpp", "s.level + 1);\n}", "s.level);\n}"),
    "levels of claims a chunk late": Fault("settle.hpp", "std::upper_bound(ends_", "std::lower_bound(ends_"),
    "levels of claims settled before": Fault("settle.hpp", "    ends_.clear();\n", ""),
    "levels of smallest parents": Fault("claim.hpp", "    settle.set_level(v);\n", ""),
    # First in, first out
    "the last of the frontier for a parent": Fault("fifo.hpp", "least = std::min(", "least = std::max("),
    "ranks left for the next search": Fault(
        "fifo.hpp", "    note(ranks, [](std::int64_t) { return Index(-1); });\n", ""
    ),
    "children of one parent the other way round": Fault(
        "fifo.hpp", "next[starts[rank]++] = Index(v);", "next[--starts[rank + 1]] = Index(v);"
    ),
    "a rank for a parent": Fault("fifo.hpp", "      parents[v] = frontier[rank];\n", ""),
    "an order without the levels": Fault("fifo.hpp", "s_.levels.set(queue[k], s_.level);", ";"),
    "edges counted twice": Fault("fifo.hpp", "    scanned_ += edges();\n", "    scanned_ += 2 * edges();\n"),
    "an order of the layout": Fault("engine.hpp", "to.smallest || request.in_order ? nullptr", "to.smallest ? nullptr"),
    "the end of a run": Fault("runs.hpp", "at + longest < end ? at + longest : end", "at + longest", "address"),
    "runs kept for fewer threads": Fault(
        "frontier.hpp", "enqueued(tally_, head, false);\n    mapped_", "enqueued(tally_, head, owned_);\n    mapped_"
    ),
    # Marks
    "a range too short": Fault(
        "mark.hpp", "Index(bounds[r + 1] * kWordBits - 1)", "Index(bounds[r + 1] * kWordBits - 2)"
    ),
    "a range that begins too late": Fault(
        "mark.hpp", "begin = std::lower_bound(begin, end, first)", "begin = std::upper_bound(begin, end, first)"
    ),
    "the last word is in no range": Fault(
        "mark.hpp", "bounds.push_back(s.words());", "bounds.push_back(s.words() - 1);"
    ),
    "ranges that overlap": Fault("mark.hpp", "if (r > 0) begin =", "if (r > 1) begin =", "thread"),
    "an edge's row": Fault(
        "mark.hpp",
        "std::upper_bound(out.indptr, rows_end, Offset(begin))",
        "std::lower_bound(out.indptr, rows_end, Offset(begin))",
        "address",
    ),
    "half of the notes": Fault("notes.hpp", "if (others) noted |= join", "if (others && noted) noted |= join"),
    "notes left behind": Fault("notes.hpp", "    std::fill(others, others + kWordBits, Index(-1));\n", ""),
    "notes left where all are visited": Fault("notes.hpp", "if (!noted) continue;", "if (!found) continue;"),
    "notes left after a stop": Fault("mark.hpp", "s.signals.tick(id)) break;", "s.signals.tick(id)) return;"),
    "smallest of two sets of notes": Fault(
        "notes.hpp", "Smallest ? take_min(notes + b, others[b]) : void(notes[b] = others[b]);", "notes[b] = others[b];"
    ),
    "notes that are not blank": Fault(
        "notes.hpp",
        "std::fill(notes + begin, notes + end, Index(-1));",
        "std::fill(notes + begin, notes + end, Index(begin ? 0 : -1));",
    ),
    # Pulls
    "a run that shares a word": Fault(
        "pull.hpp", "cuts[i].begin = next_line(list, i * run);", "cuts[i].begin = i * run;", "thread"
    ),
    "a run's end": Fault("pull.hpp", "end < size ? cuts[end / run].begin : size;", "end;"),
    "the list's rest": Fault(
        "pull.hpp", "s.unvisited.became_list(left - list.begin());", "s.unvisited.became_list(size);"
    ),
    "a head too many": Fault("pull.hpp", "skip = k - !view.leads;", "skip = k;"),
    "a list that is out of date": Fault("pull.hpp", "  s.unvisited.forget_list();\n", ""),
    "a list that pushes do not forget": Fault("push.hpp", "  s.unvisited.forget_list();\n", ""),
    "a pull's next bitmap not emptied": Fault("pull.hpp", "  s.frontier.empty_next_bitmap();\n", ""),
    # Frontiers and counts
    "a queue twice": Fault("frontier.hpp", "enqueued(tally_, head, false);", "enqueued(tally_, 0, false);"),
    "a bitmap of the level before": Fault("frontier.hpp", "    clear(front, front_words_);\n", ""),
    "bits without atomic": Fault(
        "frontier.hpp", "insert_shared(front, queue[i]);", "insert_alone(front, queue[i]);", "thread"
    ),
    "long degrees": Fault(
        "tally.hpp", "edges += view.long_degree(v) - kLongDegree;", "edges += view.long_degree(v) - kLongDegree - 1;"
    ),
    "degrees as bytes": Fault("graph.hpp", "short_degrees[v] < kLongDegree ?", "short_degrees[v] <= kLongDegree ?"),
    "the edges of most of a word": Fault(
        "tally.hpp", "v < end ? view.out.degree(v) : 0", "v + 1 < end ? view.out.degree(v) : 0"
    ),
    "vertices that nobody looks for": Fault("barren.hpp", "view.in.degree(v) == 0", "view.in.degree(v) <= 1"),
    "sources given twice": Fault("start.hpp", "    if (s.reached(s.view.to_user(v))) continue;\n", ""),
    "targets in the user's labels": Fault("targets.hpp", "const Index v = s.view.to_label(t);", "const Index v = t;"),
    "results not blanked": Fault("start.hpp", "0xff, (end - begin) * sizeof(T)", "0xff, (end - begin - 1) * sizeof(T)"),
    # Blocks
    "claims with a pull in between": Fault("settle.hpp", "begin != end_ || level != next_", "begin != end_"),
    "a source of another part": Fault("start.hpp", "settle(v, v + s.view.offset);", "settle(v, v);"),
    "a name of another part": Fault("state.hpp", "view.user ? view.user + view.offset", "view.user ? view.user"),
    "degrees within the part": Fault("graph.hpp", "degrees ? std::int64_t(degrees[v])", "false ? 0"),
    "a head of another part": Fault("layout.hpp", ": Index(v + view.offset);", ": Index(v);"),
    "sources past the own vertices": Fault("mark.hpp", "words_of(out.rows), kMarkWords", "s.words(), kMarkWords"),
    "edges past the own vertices": Fault("mark.hpp", "out.indptr + out.rows + 1", "out.indptr + s.view.active + 1"),
    "a list over the bitmap of what was found": Fault(
        "frontier.hpp",
        "    tally_ = tally, front_words_ = words;\n    queued_ = true, mapped_ = owned_",
        "    tally_ = tally;\n    queued_ = true, mapped_ = owned_",
    ),
    "runs of what was found, not of what is given": Fault(
        "frontier.hpp", "mapped_ = owned_ = false;", "mapped_ = false;"
    ),
    "a frontier that is not looked at": Fault(
        "part.hpp", "if (u < 0 || u >= out.rows)", "if (u > out.rows)", "address"
    ),
    "bits of nobody": Fault("part.hpp", "last < kWordBits ? ~(~Word{0} << last)", "false ? 0", "address"),
    "hubs that push the others out": Fault("block.hpp", "std::copy(others.begin(), others.end(), first);", ""),
    "a part that goes on after it failed": Fault("part.hpp", "part.state_.reset(), part.work_.reset();", ";"),
    # Layouts
    "hubs unsorted in a row": Fault("layout.hpp", "  std::sort(begin, hubs);\n", ""),
    "heads of others": Fault("layout.hpp", "entry(leads ? k : k - 1)", "entry(k - 1)"),
    "patches without those that wait": Fault(
        "order.hpp", "if (label[seeds[first_seed]] < 0) grow", "if (label[seeds[first_seed]] < 1) grow"
    ),
    # The team, signals, memory
    "a section that does not wait": Fault(
        "team.hpp", "for (int spins = 0; inside_.load() != 0; ++spins) relax(spins);", "", "thread"
    ),
    "a member late for a section": Fault("team.hpp", "if (epoch_.load() == seen) guarded(id);", "guarded(id);"),
    "the last chunk": Fault("team.hpp", "begin + chunk < total ? begin + chunk : total", "begin + chunk", "address"),
    "one thread's claims cannot be stopped": Fault(
        "claim.hpp", "while (u != queue.end() && !s.signals.tick(0));", "while (u != queue.end());"
    ),
    "a team's claims cannot be stopped": Fault(
        "claim.hpp", "s.frontier.take_run(id, run) && !s.signals.tick(id);", "s.frontier.take_run(id, run);"
    ),
    "marks by words cannot be stopped": Fault(
        "mark.hpp",
        "kMarkWords, [&](int id, std::int64_t begin, std::int64_t end) {\n    if (s.signals.tick(id)) return;",
        "kMarkWords, [&](int id, std::int64_t begin, std::int64_t end) {",
    ),
    "marks by edges cannot be stopped": Fault(
        "mark.hpp",
        "kMarkEdges, [&](int id, std::int64_t begin, std::int64_t end) {\n    if (s.signals.tick(id)) return;",
        "kMarkEdges, [&](int id, std::int64_t begin, std::int64_t end) {",
    ),
    "a pull cannot be stopped": Fault("pull.hpp", "if (!s.signals.tick(id)) sum.add", "sum.add"),
    "a block of another size": Fault(
        "recycle.hpp",
        "kept.sized.bytes >= bytes && kept.sized.bytes - bytes <= bytes / kKeptShare",
        "kept.sized.bytes + bytes / kKeptShare >= bytes",
        "address",
    ),
    # Files
    "rows that may end anywhere": Fault("inspect.hpp", " && end <= entries;", ";", "address"),
    "columns that may repeat": Fault("inspect.hpp", "csr.indices[e] > last", "csr.indices[e] >= last"),
    "columns beyond the last": Fault("inspect.hpp", "std::int64_t(last) >= columns", "std::int64_t(last) > columns"),
    "a fingerprint that knows no direction": Fault(
        "inspect.hpp", "row * keys.row + column * keys.column", "row + column"
    ),
    "labels that are not looked at": Fault("laid.hpp", "std::int64_t(label[user[v]]) != v", "false"),
    "rows of a layout of any graph": Fault("laid.hpp", "return own.print ==", "return true || own.print =="),
    "heads that are not looked at": Fault("laid.hpp", "if (!same(heads, view.heads)) return false;", ""),
    "a number of twenty digits": Fault(
        "parse.hpp", "static constexpr int kDigits = 19;", "static constexpr int kDigits = 20;"
    ),
    "a row that stops keeps its entries": Fault("parse.hpp", "        parsed.size = first;\n", ""),
}
