"""The verbs, from the command line's own options. Written by `python/generate.py`; a test holds it against them."""

# ruff: noqa: E501
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from ._bind import BindResult, PreparedBinding, bound, prepared
from ._programs import started
from ._progress import Progress
from ._words import JointValues, Json, Path, Texts, changed

if TYPE_CHECKING:
    from ._arrays import Floats
    from ._character import Character
    from ._field import Field
    from ._picture import Picture

    Targets: TypeAlias = Character | Path | Sequence[Character | Path]


class Verbs:
    """What can be done with a character. Options are those of the command line, with its defaults."""

    def bind(
        self,
        *,
        output: Path | None = None,
        method: str | None = None,
        influences: int | str = 4,
        deform: Texts = (),
        prune: float = 0.001,
        field: Path | None = None,
        sites: int | None = None,
        steps: int | None = None,
        seed: int | None = None,
        poses: str | None = None,
        joint_limits: Json | None = None,
        location: float | None = None,
        guide: float | None = None,
        hold: float | None = None,
        pose: str | None = None,
        body: Texts = (),
        preset: str | None = None,
        prior: Path | None = None,
        power: float | None = None,
        radius: JointValues = (),
        smoothness: JointValues = (),
        store: str = "keep",
        explain: int | Sequence[int] = (),
        save_binding: Path | None = None,
        binding: Path | None = None,
        resolution: int | str | None = None,
        falloff: float | None = None,
        penalty: float | None = None,
        no_winding_numbers: bool = False,
        exclude_view: Texts = (),
        paint: Texts = (),
        keep_winding: bool = False,
        uniform: bool = False,
        six_neighbours: bool = False,
        no_smoothing: bool = False,
        shape: Texts = (),
        regions: Json | None = None,
        falloff_pose: str | None = None,
        rigid: Texts = (),
        lock_part: Texts = (),
        lock_joint: Texts = (),
        hand_edits: Path | None = None,
        progress: Progress = None,
        threads: int | None = None,
    ) -> Character:
        """Bind a character: give every vertex its joints and weights.

        output: Where to write: .glb, .gltf, .fbx, .usda or .usdc, or the weights alone as .xml, .json (Maya), .csv, .npz or .txt (RigNet); points and splats as .ply [default: INPUT's name with _bound.glb, beside it].
        method: How weights are found [default: best; voxel with options of voxel binding].
        influences: The most joints that a vertex follows, 1 to 64, or all.
        deform: Joints that take part: names or globs, comma-separated or repeated; '!' in front takes joints out; @FILE reads one a line; 'used' are those with weight now; 'all' [default: guessed, see inspect].
        prune: Drop weights under this fraction.
        field: For the method cells: bind by this field instead of fitting one; points and splats are bound so alone.
        sites: Sites per joint.
        steps: Steps at most.
        seed: Seeds sites and poses.
        poses: Which poses to fit in. One of clips, random.
        joint_limits: A JSON file with joint limits for --poses random, as for check.
        location: How closely skin follows the bones, rather than folding softly [default: 6000].
        guide: Stay near the file's own weights, this strongly; 1 is usual.
        hold: How much the voxel bind holds the fit; 0 not at all [default: 1].
        pose: How the character stands in the fit: as it was modelled, or with its arms stretched out to the sides. One of mesh, t.
        body: Parts that are the body under a garment, which must not sink into it: names or globs.
        preset: A published form of the method: voxel has 2014 and 2013, heat has 2007 and blender, cells has paper.
        prior: best: correct weights by this prior instead of the one that comes with it, or by none.
        power: closest, hierarchy: the power of the distance by which weights fall [default: 4].
        radius: heat: how strongly joints radiate, as SCALE or JOINTS=SCALE; repeatable.
        smoothness: heat: the fraction of the bi-Laplacian, 0 to 1, as FRACTION or JOINTS=FRACTION; repeatable.
        store: How weights are stored. One of keep, f32, u16, u8.
        explain: Tell which bones, distances and paths decided the weights of a vertex; repeatable.
        save_binding: Keep the voxels and distances in this file, for --binding.
        binding: Take voxels and distances from this file instead of the mesh: for other levels of detail of a character, and for other falloffs and regions.
        resolution: Voxels along the longest side, 32 to 1024, or auto: 128 or 256 by the mesh's gaps; 64 for biharmonic [default: auto].
        falloff: How fast weights fall: 0 smooth to 1 sharp; for best too [default: the preset's, 0.2 without one].
        penalty: What a step into a voxel of the surface costs [default: the preset's, 4 without one].
        no_winding_numbers: Leave voxels outside where the six views do not agree.
        exclude_view: Views that do not vote on the inside: +x, -x, +y, -y, +z, -z, comma-separated.
        paint: Declare a ball inside (in:X,Y,Z,RADIUS) or outside (out:X,Y,Z,RADIUS); repeatable.
        keep_winding: Take faces as they are wound, also where a shell looks inside out.
        uniform: Keep all voxels at the finest size.
        six_neighbours: Paths run across faces of voxels only.
        no_smoothing: Leave weights as they fall, not smoothed along the surface.
        shape: Let a shape attract skin for a joint, besides its bones, as seen from the joint: JOINT=point:X,Y,Z, JOINT=ball:X,Y,Z,RADIUS or JOINT=box:X,Y,Z,A,B,C with half the extent; repeatable.
        regions: Regions with rules of their own: a JSON list of {"of": {"part": NAME} | {"material": NAME} | {"box": {"low", "high"}} | {"sphere": {"centre", "radius"}} | {"vertices": [..]}, "falloff": ALPHA, "drivers": [JOINT, ..]}; docs/methods/voxel.md has examples.
        falloff_pose: The pose for falloffs that follow a joint: CLIP or CLIP@SECONDS [default: the rest pose].
        rigid: Make a part follow one joint: PART=JOINT; repeatable.
        lock_part: Parts that keep the weights they have.
        lock_joint: Joints that keep the weights they have; the others share the rest.
        hand_edits: Lay weights changed by hand over what is found; the studio writes the file.
        progress: Called with a stage's name and the share of it that is done; tqdm works too.
        threads: Worker threads, all cores if none; results are the same with any number.
        """
        options = changed(
            {
                "output": output,
                "method": method,
                "influences": influences,
                "deform": deform,
                "prune": prune,
                "field": field,
                "sites": sites,
                "steps": steps,
                "seed": seed,
                "poses": poses,
                "joint_limits": joint_limits,
                "location": location,
                "guide": guide,
                "hold": hold,
                "pose": pose,
                "body": body,
                "preset": preset,
                "prior": prior,
                "power": power,
                "radius": radius,
                "smoothness": smoothness,
                "store": store,
                "explain": explain,
                "save_binding": save_binding,
                "binding": binding,
                "resolution": resolution,
                "falloff": falloff,
                "penalty": penalty,
                "no_winding_numbers": no_winding_numbers,
                "exclude_view": exclude_view,
                "paint": paint,
                "keep_winding": keep_winding,
                "uniform": uniform,
                "six_neighbours": six_neighbours,
                "no_smoothing": no_smoothing,
                "shape": shape,
                "regions": regions,
                "falloff_pose": falloff_pose,
                "rigid": rigid,
                "lock_part": lock_part,
                "lock_joint": lock_joint,
                "hand_edits": hand_edits,
            },
            {
                "influences": 4,
                "prune": 0.001,
                "store": "keep",
            },
        )
        return self._one("bind", options, progress, threads)

    def rig(
        self,
        *,
        output: Path | None = None,
        root: Sequence[float] | str | None = None,
        joints: int | None = None,
        detail: float = 0.5,
        template: str | None = None,
        names: str | None = None,
        marker: Texts = (),
        eyes: bool = False,
        jaw: bool = False,
        pose: str = "mesh",
        animate: Texts = (),
        progress: Progress = None,
        threads: int | None = None,
    ) -> Character:
        """Rig a mesh: find its skeleton, name the joints, and bind it.

        output: Where to write: .glb, .gltf, .fbx, .usda or .usdc, or .json for the skeleton alone [default: INPUT's name with _rigged.glb, beside it].
        root: Make the joint nearest to this position the root [default: the hips, or what balances best].
        joints: The most joints wanted.
        detail: How small a thing gets joints, from 0 (limbs alone) to 1.
        template: Fit a standard skeleton: humanoid, quadruped, bird, or a file with a humanoid's skeleton.
        names: Whose names the joints of a template get [default: vrm]. One of vrm, mixamo, unreal, unity, rigify.
        marker: Where a bone of the template begins that is found at the wrong position; may be repeated.
        eyes: Give the eyes of --template humanoid joints.
        jaw: Give its lower jaw one.
        pose: How it rests: as the mesh was modelled, or in the T-pose that engines expect of a humanoid. One of mesh, t.
        animate: Give it motions: builtin:NAME, builtin:all or a file; without a value, every motion made by code for such a body.
        progress: Called with a stage's name and the share of it that is done; tqdm works too.
        threads: Worker threads, all cores if none; results are the same with any number.
        """
        options = changed(
            {
                "output": output,
                "root": root,
                "joints": joints,
                "detail": detail,
                "template": template,
                "names": names,
                "marker": marker,
                "eyes": eyes,
                "jaw": jaw,
                "pose": pose,
                "animate": animate,
            },
            {
                "detail": 0.5,
                "pose": "mesh",
            },
        )
        return self._one("rig", options, progress, threads)

    def animate(
        self,
        *,
        output: Path | None = None,
        motion: str = "builtin:all",
        clip: str | None = None,
        map: Json | None = None,
        name: str | None = None,
        fps: int | None = None,
        from_: float | None = None,
        to: float | None = None,
        loop: bool = False,
        root: Sequence[float] | str = "keep",
        no_feet: bool = False,
        hands: bool = False,
        all_keys: bool = False,
        progress: Progress = None,
        threads: int | None = None,
    ) -> Character:
        """Give a character motions: from BVH, from other characters, or made by code.

        output: Where to write: .glb, .gltf, .vrm, .fbx, .usda or .usdc [default: INPUT's name with _animated.glb, beside it].
        motion: A file with a skeleton and clips, sample:NAME, builtin:NAME or builtin:all; may be given more than once.
        clip: The clip of the motion, by name or number from 0 [default: all of them].
        map: A JSON file that names joints which are not recognised.
        name: What to call the motion.
        fps: Frames a second [default: those of the motion].
        from_: Begin at this second of the motion.
        to: End at this second of the motion.
        loop: Make the last frame the first again; what they differ by is spread over the motion.
        root: What happens to where the character goes. One of keep, from-here, in-place.
        no_feet: Copy turns alone: feet may slide and sink.
        hands: Keep hands where they are seen from the shoulders, for arms of other proportions.
        all_keys: Keep a key for every frame; without, those are dropped that the others give within 0.05°.
        progress: Called with a stage's name and the share of it that is done; tqdm works too.
        threads: Worker threads, all cores if none; results are the same with any number.
        """
        options = changed(
            {
                "output": output,
                "motion": motion,
                "clip": clip,
                "map": map,
                "name": name,
                "fps": fps,
                "from_": from_,
                "to": to,
                "loop": loop,
                "root": root,
                "no_feet": no_feet,
                "hands": hands,
                "all_keys": all_keys,
            },
            {
                "motion": "builtin:all",
                "root": "keep",
            },
        )
        return self._one("animate", options, progress, threads)

    def inspect(
        self,
        *,
        progress: Progress = None,
        threads: int | None = None,
    ) -> dict[str, Any]:
        """Say what a character is made of and what is wrong with it.

        progress: Called with a stage's name and the share of it that is done; tqdm works too.
        threads: Worker threads, all cores if none; results are the same with any number.
        """
        options = changed(
            {
            },
            {
            },
        )
        return self._report("inspect", options, progress, threads)

    def check(
        self,
        *,
        reference: Path | None = None,
        clip: str | None = None,
        poses: str = "auto",
        frames: int = 40,
        penetration_frames: int = 8,
        all_frames: bool = False,
        limit: JointValues = (),
        joint_limits: Json | None = None,
        pictures: Path | None = None,
        worst: int = 6,
        progress: Progress = None,
        threads: int | None = None,
    ) -> dict[str, Any]:
        """Measure the weights that a file has: what is broken, where, and in which pose.

        reference: Compare with the weights of this file, which holds the same character.
        clip: Measure in this clip alone, by name or number from 0, or builtin:NAME for one made by code.
        poses: Which poses to measure in. One of auto, clips, range.
        frames: At most so many frames of all clips together.
        penetration_frames: Frames in which to look for skin that cuts through skin; 0 for none.
        all_frames: Measure a large mesh in all frames too; meshes of over 200,000 vertices are measured in fewer.
        limit: From which value on a measure is broken, such as bleed=0.01.
        joint_limits: A JSON file with joint limits for --poses range, such as [{"joints": "*knee*", "moves": [{"axis": "forward", "from": -130, "to": 0}]}].
        pictures: Draw the worst regions to PNGs in this folder.
        worst: How many regions to show.
        progress: Called with a stage's name and the share of it that is done; tqdm works too.
        threads: Worker threads, all cores if none; results are the same with any number.
        """
        options = changed(
            {
                "reference": reference,
                "clip": clip,
                "poses": poses,
                "frames": frames,
                "penetration_frames": penetration_frames,
                "all_frames": all_frames,
                "limit": limit,
                "joint_limits": joint_limits,
                "pictures": pictures,
                "worst": worst,
            },
            {
                "poses": "auto",
                "frames": 40,
                "penetration_frames": 8,
                "worst": 6,
            },
        )
        return self._report("check", options, progress, threads)

    def compare(
        self,
        *,
        methods: Texts = (),
        reference: bool = False,
        with_: Texts = (),
        output: Path | None = None,
        deform: Texts = (),
        influences: int | str = 4,
        poses: str = "auto",
        frames: int = 40,
        penetration_frames: int = 8,
        all_frames: bool = False,
        limit: JointValues = (),
        joint_limits: Json | None = None,
        worst: int = 5,
        progress: Progress = None,
        threads: int | None = None,
    ) -> dict[str, Any]:
        """Bind a character in several ways and report side by side.

        methods: Which methods, comma-separated, each with a preset if wanted (voxel:2014, heat:2007), or none [default: all but the slow ones, cells and biharmonic].
        reference: Take the weights that the file has as a further column, and hold the others against them.
        with_: The same character bound by another program, as a further column; repeatable.
        output: Where to write the page, such as report.html.
        deform: Joints that take part, as for bind.
        influences: The most joints that a vertex follows.
        poses: Which poses to measure in. One of auto, clips, range.
        frames: At most so many frames of all clips together.
        penetration_frames: Frames in which to look for skin that cuts through skin; 0 for none.
        all_frames: Measure a large mesh in all frames too; meshes of over 200,000 vertices are measured in fewer.
        limit: From which value on a measure is broken, such as bleed=0.01.
        joint_limits: A JSON file with joint limits for --poses range, such as [{"joints": "*knee*", "moves": [{"axis": "forward", "from": -130, "to": 0}]}].
        worst: How many regions to show.
        progress: Called with a stage's name and the share of it that is done; tqdm works too.
        threads: Worker threads, all cores if none; results are the same with any number.
        """
        options = changed(
            {
                "methods": methods,
                "reference": reference,
                "with_": with_,
                "output": output,
                "deform": deform,
                "influences": influences,
                "poses": poses,
                "frames": frames,
                "penetration_frames": penetration_frames,
                "all_frames": all_frames,
                "limit": limit,
                "joint_limits": joint_limits,
                "worst": worst,
            },
            {
                "influences": 4,
                "poses": "auto",
                "frames": 40,
                "penetration_frames": 8,
                "worst": 5,
            },
        )
        return self._report("compare", options, progress, threads)

    def render(
        self,
        *others: Character | Path,
        output: Path | None = None,
        clip: str | None = None,
        time: float | None = None,
        skinning: str = "linear",
        frames: int | None = None,
        fps: int | None = None,
        turntable: bool = False,
        view: Sequence[float] | str = "three-quarter",
        at: str | None = None,
        zoom: float = 1,
        orthographic: bool = False,
        joint: str | None = None,
        joints: bool = False,
        wire: bool = False,
        bones: bool = False,
        flat: bool = False,
        back_faces: bool = False,
        voxels: bool = False,
        resolution: int | str = "auto",
        slice: str | None = None,
        size: Sequence[int] | str | None = None,
        progress: Progress = None,
        threads: int | None = None,
    ) -> Picture:
        """Draw a character to a PNG, APNG or GIF: shaded, its bones, its weights, its motion.

        output: Where to write: .png, or .apng or .gif for what moves [default: INPUT's name with .png, here].
        clip: The clip, by name or number from 0, or builtin:NAME for one made by code; without one, the rest pose (or with --time or --frames the first clip).
        time: Seconds from the clip's start [default: its middle].
        skinning: How the skin follows the bones. One of linear, dual-quaternion, delta-mush.
        frames: Pictures over the clip, from its start to its end, as a contact sheet (64 at most); or how many pictures a .apng or .gif has.
        fps: Pictures a second of a .apng or .gif [default: 25, or as many as --frames needs to play at its own speed].
        turntable: Walk around the character once, in a .apng or .gif; with --clip it moves meanwhile.
        view: front, back, left, right, three-quarter, top, or YAW,PITCH in degrees.
        at: Look at this joint instead of the whole character.
        zoom: How much nearer; with --at, 1 shows a quarter of the character.
        orthographic: Without perspective.
        joint: Colour by this joint's weights.
        joints: Colour by all joints' weights, a colour for each.
        wire: Draw the edges.
        bones: Draw the bones over a pale mesh.
        flat: Show every facet.
        back_faces: Tint faces seen from behind, so that shells turned inside out can be seen.
        voxels: Draw the voxels that binding works with: boundary grey, interior blue, violet where winding numbers decided, bones orange.
        resolution: Voxels along the longest side, 32 to 1024, or auto.
        slice: Cut the voxels open at a fraction of their box, as in x=0.5; the side towards the viewer goes.
        size: Pixels of each picture [default: 1280x720 for one, 480x640 for several].
        progress: Called with a stage's name and the share of it that is done; tqdm works too.
        threads: Worker threads, all cores if none; results are the same with any number.
        """
        options = changed(
            {
                "output": output,
                "clip": clip,
                "time": time,
                "skinning": skinning,
                "frames": frames,
                "fps": fps,
                "turntable": turntable,
                "view": view,
                "at": at,
                "zoom": zoom,
                "orthographic": orthographic,
                "joint": joint,
                "joints": joints,
                "wire": wire,
                "bones": bones,
                "flat": flat,
                "back_faces": back_faces,
                "voxels": voxels,
                "resolution": resolution,
                "slice": slice,
                "size": size,
            },
            {
                "skinning": "linear",
                "view": "three-quarter",
                "zoom": 1,
                "resolution": "auto",
            },
        )
        return self._picture("render", others, options, progress, threads)

    def pose(
        self,
        *,
        field: Path | None = None,
        output: Path | None = None,
        clip: str | None = None,
        time: float | None = None,
        skinning: str = "linear",
        progress: Progress = None,
        threads: int | None = None,
    ) -> tuple[Floats, Floats]:
        """Write the skin at one moment of a clip as a plain mesh.

        field: For points and splats: take their weights from this field.
        output: Where to write [default: INPUT's name with _posed, beside it].
        clip: The clip, by name or number from 0, or builtin:NAME for one made by code; without one, the rest pose (or with --time or --frames the first clip).
        time: Seconds from the clip's start [default: its middle].
        skinning: How the skin follows the bones. One of linear, dual-quaternion, delta-mush.
        progress: Called with a stage's name and the share of it that is done; tqdm works too.
        threads: Worker threads, all cores if none; results are the same with any number.
        """
        options = changed(
            {
                "field": field,
                "output": output,
                "clip": clip,
                "time": time,
                "skinning": skinning,
            },
            {
                "skinning": "linear",
            },
        )
        return self._posed("pose", options, progress, threads)

    def edit(
        self,
        script: Json,
        *,
        output: Path | None = None,
        method: str = "heat",
        influences: int | str = 4,
        deform: Texts = (),
        prune: float = 0.001,
        tolerance: float = 0.001,
        growth: str = "tolerance",
        hand_edits: Path | None = None,
        store: str = "keep",
        check: bool = False,
        progress: Progress = None,
        threads: int | None = None,
    ) -> Character:
        """Edit a rig by a script of commands; weights follow each of them.

        output: Where to write, as for bind [default: INPUT's name with _edited.glb, beside it].
        method: How weights are found. One of heat, voxel.
        influences: The most joints that a vertex follows, 1 to 64, or all.
        deform: Joints that take part, as for bind.
        prune: Drop weights under this fraction.
        tolerance: heat: changes of weights under this are not followed.
        growth: heat: how far from an edit weights are solved again. One of tolerance, rings.
        hand_edits: Lay weights changed by hand over those that followed; the studio writes the file.
        store: How weights are stored. One of keep, f32, u16, u8.
        check: After the script, bind again as a whole and tell the largest difference.
        progress: Called with a stage's name and the share of it that is done; tqdm works too.
        threads: Worker threads, all cores if none; results are the same with any number.
        """
        options = changed(
            {
                "output": output,
                "method": method,
                "influences": influences,
                "deform": deform,
                "prune": prune,
                "tolerance": tolerance,
                "growth": growth,
                "hand_edits": hand_edits,
                "store": store,
                "check": check,
            },
            {
                "method": "heat",
                "influences": 4,
                "prune": 0.001,
                "tolerance": 0.001,
                "growth": "tolerance",
                "store": "keep",
            },
        )
        return self._scripted("edit", script, options, progress, threads)

    def transfer(
        self,
        targets: Targets,
        *,
        output: Path | None = None,
        from_: Texts = (),
        only: Texts = (),
        fill: Texts = (),
        joints: Texts = (),
        map: Json | None = None,
        strip: Texts = (),
        merge_missing: bool = False,
        replace_own: bool = False,
        mix: float = 1,
        fit: bool = False,
        distance: float = 0.05,
        angle: float = 30,
        same_side: bool = False,
        smoothing: float = 0.005,
        influences: int | str = 4,
        prune: float = 0.001,
        store: str = "keep",
        pictures: Path | None = None,
        progress: Progress = None,
        threads: int | None = None,
    ) -> list[Character]:
        """Transfer weights from a body to garments, or to other levels of detail.

        output: Where to write: a file as for bind, or a folder for several targets [default: TARGET's name with _transferred.glb, beside it].
        from_: Take weights from these vertices of the body alone; repeatable.
        only: Give new weights to these vertices of the target alone; repeatable.
        fill: Fill these vertices of the target from those around them, whatever is near them; repeatable.
        joints: Transfer the weight of these joints of the body alone: names or globs, as --deform of bind takes them.
        map: A file that says which joint of the body is which of the target: a JSON object, or lines BODY = TARGET.
        strip: What joints' names may begin or end with and does not count; repeatable.
        merge_missing: Give the weight of joints that the target lacks to the joint above, instead of adding them to its skeleton.
        replace_own: Replace the weight of joints that only the target has, too.
        mix: How much of the new weights is taken, 0 to 1; the rest is the target's own.
        fit: Bring the body to a target in other units, at another position or in another pose.
        distance: How far a counterpart may be away, as a fraction of the target's diagonal.
        angle: How far normals may be apart, in degrees.
        same_side: Match normals that point the same way alone, as published, and not opposite ones too.
        smoothing: Smooth at and beside vertices without a counterpart by this fraction of the diagonal.
        influences: The most joints that a vertex follows, 1 to 64, or all.
        prune: Drop weights under this fraction.
        store: How weights are stored. One of keep, f32, u16, u8.
        pictures: Draw what was matched, filled and bound to PNGs in this folder.
        progress: Called with a stage's name and the share of it that is done; tqdm works too.
        threads: Worker threads, all cores if none; results are the same with any number.
        """
        options = changed(
            {
                "output": output,
                "from_": from_,
                "only": only,
                "fill": fill,
                "joints": joints,
                "map": map,
                "strip": strip,
                "merge_missing": merge_missing,
                "replace_own": replace_own,
                "mix": mix,
                "fit": fit,
                "distance": distance,
                "angle": angle,
                "same_side": same_side,
                "smoothing": smoothing,
                "influences": influences,
                "prune": prune,
                "store": store,
                "pictures": pictures,
            },
            {
                "mix": 1,
                "distance": 0.05,
                "angle": 30,
                "smoothing": 0.005,
                "influences": 4,
                "prune": 0.001,
                "store": "keep",
            },
        )
        return self._given("transfer", targets, options, progress, threads)

    def weight_tools(
        self,
        verbs: Texts,
        *,
        output: Path | None = None,
        only: Texts = (),
        axis: str = "x",
        negative: bool = False,
        by_faces: bool = False,
        length: float = 0.01,
        lock: Texts = (),
        threshold: float = 0.01,
        influences: int | str = 4,
        largest: bool = False,
        from_: Texts = (),
        joints: Texts = (),
        to: str | None = None,
        store: str = "keep",
        picture: Path | None = None,
        progress: Progress = None,
        threads: int | None = None,
    ) -> Character:
        """Change the weights that a character has: mirror, smooth, prune, limit, copy, merge, ….

        output: Where to write, as for bind [default: INPUT's name with _weights.glb, beside it].
        only: Change these vertices alone; repeatable.
        axis: mirror: the axis across which sides are mirrored. One of x, y, z.
        negative: mirror: from the side that the axis points away from.
        by_faces: mirror: find partners by how faces are joined, for sides that are shaped differently.
        length: smooth: how far, as a fraction of the diagonal.
        lock: smooth: joints (names or globs) that keep their weight; repeatable.
        threshold: prune: drop weights under this.
        influences: limit: the most joints that a vertex follows, 1 to 64.
        largest: limit: keep the largest weights instead of those that move the skin least.
        from_: copy: the vertices that weights come from; repeatable.
        joints: merge, remove: the joints (names or globs); repeatable.
        to: merge, rigid: the joint that takes the weight.
        store: How weights are stored. One of keep, f32, u16, u8.
        picture: Draw the weights before and after to this PNG.
        progress: Called with a stage's name and the share of it that is done; tqdm works too.
        threads: Worker threads, all cores if none; results are the same with any number.
        """
        options = changed(
            {
                "output": output,
                "only": only,
                "axis": axis,
                "negative": negative,
                "by_faces": by_faces,
                "length": length,
                "lock": lock,
                "threshold": threshold,
                "influences": influences,
                "largest": largest,
                "from_": from_,
                "joints": joints,
                "to": to,
                "store": store,
                "picture": picture,
            },
            {
                "axis": "x",
                "length": 0.01,
                "threshold": 0.01,
                "influences": 4,
                "store": "keep",
            },
        )
        return self._tools("weights", verbs, options, progress, threads)

    def lods(
        self,
        levels: Targets,
        *,
        output: Path | None = None,
        by: Texts = (),
        field: Path | None = None,
        fit: bool = False,
        influences: int | str = 4,
        store: str = "keep",
        progress: Progress = None,
        threads: int | None = None,
    ) -> list[Character]:
        """Bind levels of detail by the one that has weights.

        output: Where to write: a folder, or a file for one level [default: each level's name with _transferred.glb, beside it].
        by: A way to try; repeatable [default: transfer, and field where one is given]. One of transfer, voxel, field.
        field: A field that was fitted to the character.
        fit: Bring the character to levels in other units or at another position.
        influences: The most joints that a vertex follows, 1 to 64, or all.
        store: How weights are stored. One of keep, f32, u16, u8.
        progress: Called with a stage's name and the share of it that is done; tqdm works too.
        threads: Worker threads, all cores if none; results are the same with any number.
        """
        options = changed(
            {
                "output": output,
                "by": by,
                "field": field,
                "fit": fit,
                "influences": influences,
                "store": store,
            },
            {
                "influences": 4,
                "store": "keep",
            },
        )
        return self._given("lods", levels, options, progress, threads)

    def fit_field(
        self,
        *,
        output: Path | None = None,
        influences: int | str = 4,
        deform: Texts = (),
        preset: str | None = None,
        sites: int | None = None,
        steps: int | None = None,
        seed: int | None = None,
        poses: str | None = None,
        joint_limits: Json | None = None,
        location: float | None = None,
        guide: float | None = None,
        hold: float | None = None,
        pose: str | None = None,
        body: Texts = (),
        progress: Progress = None,
        threads: int | None = None,
    ) -> Field:
        """Fit a field to a character.

        output: Where to write [default: INPUT's name with _field.cells, beside it].
        influences: The most joints that a point follows.
        deform: Joints that take part, as for bind.
        preset: The published form of the fit: paper.
        sites: Sites per joint.
        steps: Steps at most.
        seed: Seeds sites and poses.
        poses: Which poses to fit in. One of clips, random.
        joint_limits: A JSON file with joint limits for --poses random, as for check.
        location: How closely skin follows the bones, rather than folding softly [default: 6000].
        guide: Stay near the file's own weights, this strongly; 1 is usual.
        hold: How much the voxel bind holds the fit; 0 not at all [default: 1].
        pose: How the character stands in the fit: as it was modelled, or with its arms stretched out to the sides. One of mesh, t.
        body: Parts that are the body under a garment, which must not sink into it: names or globs.
        progress: Called with a stage's name and the share of it that is done; tqdm works too.
        threads: Worker threads, all cores if none; results are the same with any number.
        """
        options = changed(
            {
                "output": output,
                "influences": influences,
                "deform": deform,
                "preset": preset,
                "sites": sites,
                "steps": steps,
                "seed": seed,
                "poses": poses,
                "joint_limits": joint_limits,
                "location": location,
                "guide": guide,
                "hold": hold,
                "pose": pose,
                "body": body,
            },
            {
                "influences": 4,
            },
        )
        return self._field("fit", options, progress, threads)

    # Who does it: `Character`.
    if TYPE_CHECKING:

        def _one(self, verb: str, options: Mapping[str, Any], progress: Progress, threads: int | None) -> Character: ...
        def _report(self, verb: str, options: Mapping[str, Any], progress: Progress, threads: int | None) -> dict[str, Any]: ...
        def _picture(self, verb: str, others: Any, options: Mapping[str, Any], progress: Progress, threads: int | None) -> Picture: ...
        def _posed(self, verb: str, options: Mapping[str, Any], progress: Progress, threads: int | None) -> tuple[Floats, Floats]: ...
        def _scripted(self, verb: str, script: Any, options: Mapping[str, Any], progress: Progress, threads: int | None) -> Character: ...
        def _given(self, verb: str, others: Any, options: Mapping[str, Any], progress: Progress, threads: int | None) -> list[Character]: ...
        def _tools(self, verb: str, verbs: Any, options: Mapping[str, Any], progress: Progress, threads: int | None) -> Character: ...
        def _field(self, verb: str, options: Mapping[str, Any], progress: Progress, threads: int | None) -> Field: ...



def bind(
    vertices: Any,
    faces: Any = None,
    joints: Any = None,
    parents: Any = None,
    *,
    names: Sequence[str] | None = None,
    method: str | None = None,
    influences: int | str = 4,
    deform: Texts = (),
    prune: float = 0.001,
    field: Path | None = None,
    sites: int | None = None,
    steps: int | None = None,
    seed: int | None = None,
    poses: str | None = None,
    joint_limits: Json | None = None,
    location: float | None = None,
    hold: float | None = None,
    pose: str | None = None,
    body: Texts = (),
    preset: str | None = None,
    prior: Path | None = None,
    power: float | None = None,
    radius: JointValues = (),
    smoothness: JointValues = (),
    binding: Path | None = None,
    resolution: int | str | None = None,
    falloff: float | None = None,
    penalty: float | None = None,
    no_winding_numbers: bool = False,
    exclude_view: Texts = (),
    paint: Texts = (),
    keep_winding: bool = False,
    uniform: bool = False,
    six_neighbours: bool = False,
    no_smoothing: bool = False,
    shape: Texts = (),
    regions: Json | None = None,
    rigid: Texts = (),
    lock_part: Texts = (),
    lock_joint: Texts = (),
    hand_edits: Path | None = None,
    progress: Progress = None,
    threads: int | None = None,
) -> BindResult:
    """Binds a mesh to a skeleton: for each vertex at most ``influences`` joints with weights that sum to one.

    vertices: (N, 3), or anything with ``.vertices`` and ``.faces``, such as trimesh's meshes.
    faces: (M, 3), indices of vertices.
    joints: (J, 3) positions in the same space and unit, or (J, 4, 4) matrices.
    parents: (J,), -1 for a root, in any order.
    names: Of the joints; they tell controls and ends from bones.
    method: How weights are found [default: best; voxel with options of voxel binding].
    influences: The most joints that a vertex follows, 1 to 64, or all.
    deform: Joints that take part: names or globs, comma-separated or repeated; '!' in front takes joints out; @FILE reads one a line; 'used' are those with weight now; 'all' [default: guessed, see inspect].
    prune: Drop weights under this fraction.
    field: For the method cells: bind by this field instead of fitting one; points and splats are bound so alone.
    sites: Sites per joint.
    steps: Steps at most.
    seed: Seeds sites and poses.
    poses: Which poses to fit in. One of clips, random.
    joint_limits: A JSON file with joint limits for --poses random, as for check.
    location: How closely skin follows the bones, rather than folding softly [default: 6000].
    hold: How much the voxel bind holds the fit; 0 not at all [default: 1].
    pose: How the character stands in the fit: as it was modelled, or with its arms stretched out to the sides. One of mesh, t.
    body: Parts that are the body under a garment, which must not sink into it: names or globs.
    preset: A published form of the method: voxel has 2014 and 2013, heat has 2007 and blender, cells has paper.
    prior: best: correct weights by this prior instead of the one that comes with it, or by none.
    power: closest, hierarchy: the power of the distance by which weights fall [default: 4].
    radius: heat: how strongly joints radiate, as SCALE or JOINTS=SCALE; repeatable.
    smoothness: heat: the fraction of the bi-Laplacian, 0 to 1, as FRACTION or JOINTS=FRACTION; repeatable.
    binding: Take voxels and distances from this file instead of the mesh: for other levels of detail of a character, and for other falloffs and regions.
    resolution: Voxels along the longest side, 32 to 1024, or auto: 128 or 256 by the mesh's gaps; 64 for biharmonic [default: auto].
    falloff: How fast weights fall: 0 smooth to 1 sharp; for best too [default: the preset's, 0.2 without one].
    penalty: What a step into a voxel of the surface costs [default: the preset's, 4 without one].
    no_winding_numbers: Leave voxels outside where the six views do not agree.
    exclude_view: Views that do not vote on the inside: +x, -x, +y, -y, +z, -z, comma-separated.
    paint: Declare a ball inside (in:X,Y,Z,RADIUS) or outside (out:X,Y,Z,RADIUS); repeatable.
    keep_winding: Take faces as they are wound, also where a shell looks inside out.
    uniform: Keep all voxels at the finest size.
    six_neighbours: Paths run across faces of voxels only.
    no_smoothing: Leave weights as they fall, not smoothed along the surface.
    shape: Let a shape attract skin for a joint, besides its bones, as seen from the joint: JOINT=point:X,Y,Z, JOINT=ball:X,Y,Z,RADIUS or JOINT=box:X,Y,Z,A,B,C with half the extent; repeatable.
    regions: Regions with rules of their own: a JSON list of {"of": {"part": NAME} | {"material": NAME} | {"box": {"low", "high"}} | {"sphere": {"centre", "radius"}} | {"vertices": [..]}, "falloff": ALPHA, "drivers": [JOINT, ..]}; docs/methods/voxel.md has examples.
    rigid: Make a part follow one joint: PART=JOINT; repeatable.
    lock_part: Parts that keep the weights they have.
    lock_joint: Joints that keep the weights they have; the others share the rest.
    hand_edits: Lay weights changed by hand over what is found; the studio writes the file.
    progress: Called with a stage's name and the share of it that is done; tqdm works too.
    threads: Worker threads, all cores if none; results are the same with any number.
    """
    options = changed(
        {
            "method": method,
            "influences": influences,
            "deform": deform,
            "prune": prune,
            "field": field,
            "sites": sites,
            "steps": steps,
            "seed": seed,
            "poses": poses,
            "joint_limits": joint_limits,
            "location": location,
            "hold": hold,
            "pose": pose,
            "body": body,
            "preset": preset,
            "prior": prior,
            "power": power,
            "radius": radius,
            "smoothness": smoothness,
            "binding": binding,
            "resolution": resolution,
            "falloff": falloff,
            "penalty": penalty,
            "no_winding_numbers": no_winding_numbers,
            "exclude_view": exclude_view,
            "paint": paint,
            "keep_winding": keep_winding,
            "uniform": uniform,
            "six_neighbours": six_neighbours,
            "no_smoothing": no_smoothing,
            "shape": shape,
            "regions": regions,
            "rigid": rigid,
            "lock_part": lock_part,
            "lock_joint": lock_joint,
            "hand_edits": hand_edits,
        },
        {
            "influences": 4,
            "prune": 0.001,
        },
    )
    return bound((vertices, faces, joints, parents, names), options, progress, threads)


def prepare(
    vertices: Any,
    faces: Any = None,
    joints: Any = None,
    parents: Any = None,
    *,
    names: Sequence[str] | None = None,
    method: str | None = None,
    influences: int | str = 4,
    deform: Texts = (),
    prune: float = 0.001,
    field: Path | None = None,
    sites: int | None = None,
    steps: int | None = None,
    seed: int | None = None,
    poses: str | None = None,
    joint_limits: Json | None = None,
    location: float | None = None,
    hold: float | None = None,
    pose: str | None = None,
    body: Texts = (),
    preset: str | None = None,
    prior: Path | None = None,
    power: float | None = None,
    radius: JointValues = (),
    smoothness: JointValues = (),
    binding: Path | None = None,
    resolution: int | str | None = None,
    falloff: float | None = None,
    penalty: float | None = None,
    no_winding_numbers: bool = False,
    exclude_view: Texts = (),
    paint: Texts = (),
    keep_winding: bool = False,
    uniform: bool = False,
    six_neighbours: bool = False,
    no_smoothing: bool = False,
    shape: Texts = (),
    regions: Json | None = None,
    rigid: Texts = (),
    lock_part: Texts = (),
    lock_joint: Texts = (),
    hand_edits: Path | None = None,
    progress: Progress = None,
    threads: int | None = None,
) -> PreparedBinding:
    """Does the slow half of a bind and keeps it, for new weights at slider speed.

    vertices: (N, 3), or anything with ``.vertices`` and ``.faces``, such as trimesh's meshes.
    faces: (M, 3), indices of vertices.
    joints: (J, 3) positions in the same space and unit, or (J, 4, 4) matrices.
    parents: (J,), -1 for a root, in any order.
    names: Of the joints; they tell controls and ends from bones.
    method: How weights are found [default: best; voxel with options of voxel binding].
    influences: The most joints that a vertex follows, 1 to 64, or all.
    deform: Joints that take part: names or globs, comma-separated or repeated; '!' in front takes joints out; @FILE reads one a line; 'used' are those with weight now; 'all' [default: guessed, see inspect].
    prune: Drop weights under this fraction.
    field: For the method cells: bind by this field instead of fitting one; points and splats are bound so alone.
    sites: Sites per joint.
    steps: Steps at most.
    seed: Seeds sites and poses.
    poses: Which poses to fit in. One of clips, random.
    joint_limits: A JSON file with joint limits for --poses random, as for check.
    location: How closely skin follows the bones, rather than folding softly [default: 6000].
    hold: How much the voxel bind holds the fit; 0 not at all [default: 1].
    pose: How the character stands in the fit: as it was modelled, or with its arms stretched out to the sides. One of mesh, t.
    body: Parts that are the body under a garment, which must not sink into it: names or globs.
    preset: A published form of the method: voxel has 2014 and 2013, heat has 2007 and blender, cells has paper.
    prior: best: correct weights by this prior instead of the one that comes with it, or by none.
    power: closest, hierarchy: the power of the distance by which weights fall [default: 4].
    radius: heat: how strongly joints radiate, as SCALE or JOINTS=SCALE; repeatable.
    smoothness: heat: the fraction of the bi-Laplacian, 0 to 1, as FRACTION or JOINTS=FRACTION; repeatable.
    binding: Take voxels and distances from this file instead of the mesh: for other levels of detail of a character, and for other falloffs and regions.
    resolution: Voxels along the longest side, 32 to 1024, or auto: 128 or 256 by the mesh's gaps; 64 for biharmonic [default: auto].
    falloff: How fast weights fall: 0 smooth to 1 sharp; for best too [default: the preset's, 0.2 without one].
    penalty: What a step into a voxel of the surface costs [default: the preset's, 4 without one].
    no_winding_numbers: Leave voxels outside where the six views do not agree.
    exclude_view: Views that do not vote on the inside: +x, -x, +y, -y, +z, -z, comma-separated.
    paint: Declare a ball inside (in:X,Y,Z,RADIUS) or outside (out:X,Y,Z,RADIUS); repeatable.
    keep_winding: Take faces as they are wound, also where a shell looks inside out.
    uniform: Keep all voxels at the finest size.
    six_neighbours: Paths run across faces of voxels only.
    no_smoothing: Leave weights as they fall, not smoothed along the surface.
    shape: Let a shape attract skin for a joint, besides its bones, as seen from the joint: JOINT=point:X,Y,Z, JOINT=ball:X,Y,Z,RADIUS or JOINT=box:X,Y,Z,A,B,C with half the extent; repeatable.
    regions: Regions with rules of their own: a JSON list of {"of": {"part": NAME} | {"material": NAME} | {"box": {"low", "high"}} | {"sphere": {"centre", "radius"}} | {"vertices": [..]}, "falloff": ALPHA, "drivers": [JOINT, ..]}; docs/methods/voxel.md has examples.
    rigid: Make a part follow one joint: PART=JOINT; repeatable.
    lock_part: Parts that keep the weights they have.
    lock_joint: Joints that keep the weights they have; the others share the rest.
    hand_edits: Lay weights changed by hand over what is found; the studio writes the file.
    progress: Called with a stage's name and the share of it that is done; tqdm works too.
    threads: Worker threads, all cores if none; results are the same with any number.
    """
    options = changed(
        {
            "method": method,
            "influences": influences,
            "deform": deform,
            "prune": prune,
            "field": field,
            "sites": sites,
            "steps": steps,
            "seed": seed,
            "poses": poses,
            "joint_limits": joint_limits,
            "location": location,
            "hold": hold,
            "pose": pose,
            "body": body,
            "preset": preset,
            "prior": prior,
            "power": power,
            "radius": radius,
            "smoothness": smoothness,
            "binding": binding,
            "resolution": resolution,
            "falloff": falloff,
            "penalty": penalty,
            "no_winding_numbers": no_winding_numbers,
            "exclude_view": exclude_view,
            "paint": paint,
            "keep_winding": keep_winding,
            "uniform": uniform,
            "six_neighbours": six_neighbours,
            "no_smoothing": no_smoothing,
            "shape": shape,
            "regions": regions,
            "rigid": rigid,
            "lock_part": lock_part,
            "lock_joint": lock_joint,
            "hand_edits": hand_edits,
        },
        {
            "influences": 4,
            "prune": 0.001,
        },
    )
    return prepared((vertices, faces, joints, parents, names), options, progress, threads)


def studio(
    *inputs: Path,
    port: int = 0,
    no_browser: bool = False,
    exports: Path = ".",
    kept: Path | None = None,
    threads: int | None = None,
) -> int:
    """See a character in the browser, bind it, pose it, compare binds, judge them and send the result on.

    Starts the command line in a process of its own, and gives its exit status.

    port: The port to listen on; 0 takes one that is free.
    no_browser: Print the address, open no browser.
    exports: Where exports and projects are written.
    kept: Where unsaved work is kept [default: a folder of the user's own].
    """
    options = changed(
        {
            "port": port,
            "no_browser": no_browser,
            "exports": exports,
            "kept": kept,
        },
        {
            "port": 0,
            "exports": ".",
        },
    )
    options["threads"] = threads
    return started("studio", inputs, options)


def bench(
    *inputs: Path,
    scene: str | None = None,
    skeleton: Path | None = None,
    motion: Path | None = None,
    fit: bool = False,
    up: str | None = None,
    unit: str | None = None,
    scale: float | None = None,
    methods: Texts = (),
    used_joints: bool = False,
    repeat: int = 1,
    edits: bool = False,
    joints: Texts = (),
    bones: int | None = None,
    rings: bool = False,
    output: Path | None = None,
    threads: int | None = None,
) -> int:
    """Bind characters with several methods and print times, memory and agreement.

    Starts the command line in a process of its own, and gives its exit status.

    scene: Of a glTF file with several scenes, take the one of this name or number.
    skeleton: Take the skeleton from this file.
    motion: Take clips from this file, by the names of its joints.
    fit: Bring a skeleton in other units, with another axis up or at another position to the mesh.
    up: Which way is up in a file that does not say: y or z [default: y].
    unit: What a file that does not say counts lengths in: mm, cm, m, in or ft [default: m].
    scale: A factor on all lengths of a file that does not say what they are.
    methods: Which methods, comma-separated, each as METHOD[:PRESET][@RESOLUTION] [default: all].
    used_joints: Bind to the joints that the file's weights use, instead of guessing them.
    repeat: Binds of each kind, fewer where they take over ten seconds; the fastest counts.
    edits: Instead, drag every joint and time how long heat weights take to follow.
    joints: --edits: joints to show, comma-separated [default: five, from the least to the most work].
    bones: --edits: insert joints into the longest bones until there are so many.
    rings: --edits: solve in the published region of four rings instead of as far as an edit changes weights.
    output: Write the table here as well: .md or .csv.
    """
    options = changed(
        {
            "scene": scene,
            "skeleton": skeleton,
            "motion": motion,
            "fit": fit,
            "up": up,
            "unit": unit,
            "scale": scale,
            "methods": methods,
            "used_joints": used_joints,
            "repeat": repeat,
            "edits": edits,
            "joints": joints,
            "bones": bones,
            "rings": rings,
            "output": output,
        },
        {
            "repeat": 1,
        },
    )
    options["threads"] = threads
    return started("bench", inputs, options)


def batch(
    *inputs: Path,
    output: Path | None = None,
    do: str = "bind",
    to: str | None = None,
    jobs: int | None = None,
    timeout: float = 600,
    memory: int | None = None,
    shard: str | None = None,
    retry: bool = False,
    keep_going: bool = False,
    fail_fast: bool = False,
    no_measures: bool = False,
    arguments: Texts = (),
    threads: int | None = None,
) -> int:
    """Do a verb with many files, each in a process of its own.

    Starts the command line in a process of its own, and gives its exit status.

    output: The folder for outputs, manifest.jsonl and quarantine/.
    do: The verb: bind, rig, transfer, weights, lods, convert or check.
    to: The ending of outputs [default: the input's own, or .glb where it cannot be written].
    jobs: Assets at once [default: as many as there are cores].
    timeout: The longest that an asset may take, in seconds.
    memory: The most memory that an asset may hold [default: its part of what is free].
    shard: Do part I of N of all assets, I from 1; each part may run on another machine.
    retry: Try again what failed before.
    keep_going: Go on after failures; this is the default.
    fail_fast: Begin nothing new after the first failure.
    no_measures: Do not measure what was bound, which takes about twice as long as binding it.
    arguments: Words of the command line for the verb.
    """
    options = changed(
        {
            "output": output,
            "do": do,
            "to": to,
            "jobs": jobs,
            "timeout": timeout,
            "memory": memory,
            "shard": shard,
            "retry": retry,
            "keep_going": keep_going,
            "fail_fast": fail_fast,
            "no_measures": no_measures,
        },
        {
            "do": "bind",
            "timeout": 600,
        },
    )
    options["threads"] = threads
    return started("batch", inputs, options, arguments)


def batch_report(
    *inputs: Path,
    csv: Path | None = None,
    html: Path | None = None,
    pictures: int = 60,
    threads: int | None = None,
) -> int:
    """Totals, a table and a page of a batch, also while it runs.

    Starts the command line in a process of its own, and gives its exit status.

    csv: Write a table, a line for each asset.
    html: Write a page with pictures, the worst first, failures by cause.
    pictures: How many assets the page shows in pictures.
    """
    options = changed(
        {
            "csv": csv,
            "html": html,
            "pictures": pictures,
        },
        {
            "pictures": 60,
        },
    )
    options["threads"] = threads
    return started("batch report", inputs, options)
