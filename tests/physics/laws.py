"""The table: one row per law or published result.

A row: name, what must hold, who says so, kinds of bodies × integrators, the measurement, how far it may be off and why.
"""
import accuracy
import elastic
import equilibria
import forces
import friction
import impacts
import imported
import joints
import motions
import structures
import turning
from law import DYNAMIC, KINDS, SECOND_ORDER, STATIC, STIFF, Law, Tolerance

EULER = ("implicit_euler",)
SMOOTH = ("implicit_euler", "bdf2")
LAGGED = "friction takes the normal forces of the solve before; a block that still bounces feels it"
RINGS = "an undamped vibration of its own unloads the contact"
EXACT = "closed form to the solver's tolerance"
BALANCE = Tolerance("forces balance to a part of 10⁻³ of gravity, 0.01 m/s²", relative=0.001, absolute=0.005)
EVERY = DYNAMIC + STATIC
FORCE = Tolerance("forces balance to a part of 10⁻³ of gravity; what was just set down still trembles", relative=0.01)
BOUNDS = Tolerance("thresholds: bounds on either side")

FRICTION = [
    Law("block_slides_on_slope", "a = g (sin α − µ cos α), tan α = 0.5", "Coulomb", KINDS, SMOOTH,
        friction.block_slides, BALANCE, "m/s²"),
    Law("block_slides_on_slope_newmark", "a = g (sin α − µ cos α); holds 10 % above tan α", "Coulomb", STIFF,
        ("newmark",),
        friction.block_slides_newmark, Tolerance(LAGGED, relative=0.015), "m/s²"),
    Law("block_holds_or_slides", "holds for µ = 1.02 tan α, slides for 0.98 tan α", "Coulomb", STIFF, SMOOTH,
        friction.block_holds_or_slides, BALANCE, "m/s²"),
    Law("block_stops", "way = v² / 2 µ g", "Coulomb", KINDS, DYNAMIC,
        friction.block_stops, Tolerance("implicit Euler stops v h / 2 early: 1.4 %", relative=0.02), "m",
        only_all=tuple(("medial", i) for i in DYNAMIC)),
    Law("friction_opposes_motion", "slows by µ g along its way, in every direction", "Coulomb",
        ("rigid", "affine", "soft"), DYNAMIC,
        friction.friction_opposes_motion,
        Tolerance("friction of the first steps lags", relative=0.005, absolute=0.002), "m/s",
        skip=(("soft", "newmark"),), skip_why=RINGS),
    Law("friction_rules", "µ: of the pair, else √(µa µb), else of the one that has one, else contact.friction",
        "docs/scene.md", ("rigid",), EULER,
        friction.friction_rules, Tolerance(EXACT, relative=0.002), "m/s²"),
    Law("round_bodies_roll", "balls roll with 5/7 g sin α, cylinders with 2/3; they slip below µ = 2/7 tan α",
        "textbooks", STIFF, DYNAMIC,
        friction.round_bodies_roll,
        Tolerance("rolling lags by the sliding that smoothed friction needs", relative=0.01), "m/s²"),
    Law("bowling_ball", "v → 5/7 v, whatever µ", "Coriolis 1835", STIFF, DYNAMIC,
        friction.bowling_ball, Tolerance("turns by 0.05 rad a step", relative=0.005), "m/s"),
    Law("conveyor_carries", "a = µ g, then the belt's speed", "Coulomb", ("rigid", "affine", "soft"), DYNAMIC,
        friction.conveyor_carries, Tolerance(LAGGED, relative=0.01), skip=(("soft", "newmark"),), skip_why=RINGS),
    Law("plate_under_block", "rest, together, or apart: 20, 100 and 180 N", "Coulomb, Newton", STIFF, SMOOTH,
        friction.plate_under_block, Tolerance(EXACT, relative=0.002, absolute=1e-4), "m/s²"),
    Law("wedge_and_block", "wedge: m g sin α cos α / (M + m sin² α), without friction", "textbooks", STIFF, DYNAMIC,
        friction.wedge_and_block, Tolerance(EXACT, relative=0.002), "m/s²"),
    Law("box_tips", "a box twice as high as wide tips above 26.57°", "statics", ("rigid", "affine", "soft"), DYNAMIC,
        friction.box_tips, BOUNDS, "°"),
    Law("capstan", "a rope over half a drum holds up to e^(µπ)", "Euler–Eytelwein", ("soft",), EULER,
        structures.capstan, BOUNDS, "m"),
    Law("leaning_cards", "two cards at 60° need µ = (cot 60° − t/L)/2", "statics", STIFF, SMOOTH,
        structures.leaning_cards, BOUNDS, "m"),
    Law("semicircular_arch", "stands if t/R > 0.1075", "Couplet 1730; Milankovitch 1907", STIFF, EULER,
        structures.semicircular_arch, BOUNDS, only_all=(("affine", "implicit_euler"),)),
]

TURNING = [
    Law("middle_axis_flips", "Euler's equations: a brick turns over again and again", "Poinsot; Dzhanibekov", STIFF,
        DYNAMIC,
        turning.middle_axis_flips, Tolerance("flips are found between frames of 0.02 s", relative=0.005), "s"),
    Law("spin_is_kept", "L and energy of a free body stay", "Euler", STIFF, DYNAMIC,
        turning.spin_is_kept, Tolerance("free flight is exact", absolute=0.001)),
    Law("moment_of_inertia", "L = m (b² + c²) ω / 12", "textbooks", KINDS, EULER,
        turning.moment_of_inertia, Tolerance("exact integrals; soft with the consistent mass", relative=1e-4),
        "kg m²"),
    Law("loads_accelerate", "p = F t, L = T t, v = a t", "Newton, Euler", STIFF, DYNAMIC,
        turning.loads_accelerate, Tolerance("turns by 0.02 rad a step", relative=0.001)),
    Law("pendulum_period", "T = 2π √(I / m g d) (1 + θ²/16)", "Huygens", STIFF, DYNAMIC,
        turning.pendulum_period, Tolerance("h² of 330 steps a swing", relative=0.001), "s"),
    Law("top_precesses", "Ω = m g r / I ω", "textbooks", STIFF, DYNAMIC,
        turning.top_precesses, Tolerance("0.15 rad a step; joints take a little energy", relative=0.01), "rad/s"),
]

JOINTS = [
    Law("joint_forces", "what carries a load reports m g, and its torque", "statics", STIFF, DYNAMIC,
        joints.joint_forces, Tolerance(EXACT, relative=0.001), "N, N m"),
    Law("rope_and_limit", "rope m g; limit m g (L/2) cos 30°", "statics", STIFF, DYNAMIC,
        joints.rope_and_limit, Tolerance(EXACT, relative=0.001)),
    Law("slider_motor", "a = F/m − g, with the motor's largest force F", "Newton", STIFF, DYNAMIC,
        joints.slider_motor, Tolerance(EXACT, relative=0.002, absolute=1e-6)),
    Law("hinge_motor", "L = T t, with the motor's largest torque T", "Euler", STIFF, DYNAMIC,
        joints.hinge_motor, Tolerance(EXACT, relative=0.002)),
    Law("damper_carries", "v = m g / c, force m g", "textbooks", STIFF, DYNAMIC,
        joints.damper_carries, Tolerance(EXACT, relative=0.002)),
    Law("joints_break", "98.1 N break what bears 97 N, not what bears 99 N", "statics", STIFF, DYNAMIC,
        joints.joints_break, Tolerance("yes or no", absolute=0.1), only_all=tuple(("affine", i) for i in DYNAMIC)),
    Law("spring_period", "T = 2π √(m/k)", "Hooke", STIFF, DYNAMIC,
        joints.spring_period, Tolerance("h² of 126 steps a period", relative=0.002), "s"),
    Law("spring_decay", "x = v₀/ω e^(−γt) sin ωt", "textbooks", STIFF, SECOND_ORDER,
        joints.spring_decay, Tolerance("h² of 314 steps a period", relative=0.005), "m"),
    Law("double_pendulum", "energy stays (BDF2), never grows (others: joints damp)", "Lagrange", STIFF, DYNAMIC,
        joints.double_pendulum, Tolerance("joints at h = 0.0025 s with BDF2", absolute=0.01)),
    Law("motor_between_free_bodies", "momentum and angular momentum stay 0", "Newton", STIFF, DYNAMIC,
        joints.motor_between_free_bodies, Tolerance(EXACT, relative=0.001)),
    Law("hanging_chain", "joint i carries all below: (5 − i) m g", "statics", STIFF, DYNAMIC,
        joints.hanging_chain, Tolerance(EXACT, relative=0.002), "N"),
    Law("lever", "m₁ l₁ = m₂ l₂ is level; else θ = T/mgh (cosh λt − 1)", "Archimedes", STIFF, DYNAMIC,
        joints.lever, Tolerance("h/t = 1 % of implicit Euler; BDF2's first contact", relative=0.03, absolute=0.01),
        "°"),
    Law("prescribed_motion", "keyframes, turning and formulas are met", "docs/scene.md", ("rigid", "affine", "soft"),
        DYNAMIC,
        motions.prescribed_motion, Tolerance("exact", absolute=1e-9), "m"),
    Law("released_from_turning", "flies on with ω r", "Newton", ("affine", "soft"), DYNAMIC,
        joints.released_from_turning, Tolerance("the chord of 0.016 rad a step", relative=0.002), "m/s"),
]

ELASTIC = [
    Law("uniaxial_tension", "∂Ψ/∂s = P, ∂Ψ/∂t = 0: seven materials, P/E 0.02 and 0.3", "docs/models/elasticity.md",
        ("soft",), EULER,
        elastic.uniaxial_tension, Tolerance("one state of strain: exact on any mesh", relative=2e-5)),
    Law("stress_and_energy", "von Mises stress P / t², energy Ψ", "docs/models/elasticity.md", ("soft",), EULER,
        elastic.stress_and_energy, Tolerance("one state of strain: exact on any mesh", relative=1e-4)),
    Law("soft_bar_under_weight", "ΔL = ρ g L² / 2 E", "Hooke", ("soft",), STATIC,
        equilibria.soft_bar_under_weight, Tolerance("strain of 5·10⁻⁴ on average, 20 cells", relative=0.003)),
    Law("bar_rings", "T = 4 L √(ρ/E)", "d'Alembert", ("soft",), SECOND_ORDER,
        elastic.bar_rings, Tolerance("20 cells along a quarter wave", relative=0.005), "s"),
    Law("damping_decays", "peaks fall by exp(−β ω² T / 2) a period", "Rayleigh", ("soft",), SECOND_ORDER,
        elastic.damping_decays, Tolerance("higher vibrations have not quite died", relative=0.01)),
    Law("cantilever_soft", "q L⁴ / 8 E I + q L² / 2 k G A in the limit of fine meshes", "Timoshenko", ("soft",),
        STATIC,
        elastic.cantilever_soft,
        Tolerance("limit from 4 and 6 cells across: the error is not quite of second order yet", relative=0.03), "m"),
    Law("cantilever_wire", "q L⁴ / 8 E I; F L³ / 3 E I", "Euler–Bernoulli", ("wire",), STATIC,
        elastic.cantilever_wire, Tolerance("40 edges", relative=0.003), "m"),
    Law("cantilever_strip", "q L⁴ / 8 E I", "Euler–Bernoulli", ("shell",), STATIC,
        elastic.cantilever_strip, Tolerance("40 cells; a narrow plate", relative=0.015), "m"),
    Law("wire_vibrates", "ω = 1.8751² √(E I / ρ A) / L²", "Euler–Bernoulli", ("wire",), SECOND_ORDER,
        elastic.wire_vibrates, Tolerance("40 edges; higher modes swing along", relative=0.01), "s"),
    Law("wire_buckles", "straight below π² E I / 4 L², the elastica above", "Euler 1744", ("wire",),
        ("implicit_euler", "quasi_static"),
        elastic.wire_buckles, Tolerance("40 edges", relative=0.005)),
    Law("catenary", "L = 2 a sinh(s / 2a)", "Bernoulli, Huygens, Leibniz 1691", ("wire",),
        ("implicit_euler", "quasi_static"),
        elastic.catenary, Tolerance("40 edges", relative=0.003), "m"),
    Law("balloon", "p = t Ψ′(s) / R s²; at first strain = p R (1 − ν) / 2 E t", "Laplace, Hooke", ("shell",), EULER,
        elastic.balloon, Tolerance("642 points: the polyhedron is 0.5 % stiffer", relative=0.01)),
]

CONTACT = [
    Law("pressure_carries", "Σ p A = m g", "Newton", KINDS, DYNAMIC,
        impacts.pressure_carries, Tolerance("mean over 0.2 s", relative=0.01), "N"),
    Law("box_rests", "nearer than d_hat, at rest; a pile of five too", "statics", STIFF, DYNAMIC,
        impacts.box_rests, BOUNDS),
    Law("near_start", "from 0.1 d_hat it rises with at most √(2 g d_hat), at any step", "energy", STIFF, DYNAMIC,
        impacts.near_start, BOUNDS, "m/s"),
    Law("near_start_on_slope", "from 0.7 d_hat, h = 0.0005 s: v = g (sin α − µ cos α) t", "Coulomb", STIFF, SMOOTH,
        impacts.near_start_on_slope, Tolerance("the start must not throw it up", relative=0.02), "m/s"),
    Law("drop_gains_nothing", "energy never grows", "thermodynamics", ("rigid", "affine", "soft"), DYNAMIC,
        impacts.drop_gains_nothing, BOUNDS),
    Law("soft_ball_bounces", "Newmark keeps the energy of a bounce", "energy", ("soft",), ("newmark",),
        impacts.soft_ball_bounces, Tolerance("the barrier acts at the end of steps", relative=0.03)),
    Law("cradle", "three equal elastic balls: 0, 0, v", "Huygens, Mariotte", ("soft",), SECOND_ORDER,
        impacts.cradle, Tolerance("balls of 1296 tets keep a little vibration", absolute=0.05), "of v"),
    Law("unequal_balls", "masses 1 : 3 leave with −v/2 and v/2", "Huygens", ("soft",), SECOND_ORDER,
        impacts.unequal_balls, Tolerance("a little vibration stays in the balls", absolute=0.03), "of v"),
    Law("heavy_on_light", "1 : 10,000 rests, nearer than d_hat", "statics", ("rigid", "affine", "soft"), DYNAMIC,
        impacts.heavy_on_light, BOUNDS),
    Law("radius_keeps_distance", "plate, wire and ball lie at their radius, within d_hat", "docs/models/contact.md",
        ("rigid", "affine", "soft"), DYNAMIC,
        impacts.radius_keeps_distance, BOUNDS),
    Law("pressure_has_no_net_force", "∮ p n dA = 0", "Gauss", KINDS, DYNAMIC,
        motions.pressure_has_no_net_force, Tolerance("rounding; medial bodies ring", absolute=1e-3)),
    Law("momentum_is_kept", "Σ p stays through impacts with friction", "Newton", ("rigid", "affine", "soft"), DYNAMIC,
        impacts.momentum_is_kept, Tolerance("to the solver's tolerance", absolute=1e-6)),
    Law("bat_hits_ball", "v to 2 v of a heavy bat", "Newton", ("rigid", "affine", "soft"), DYNAMIC,
        impacts.bat_hits_ball, BOUNDS),
    Law("pebble_hits_pin", "two of its diameters a step: it is stopped", "no passing through", ("rigid", "soft"),
        DYNAMIC,
        impacts.pebble_hits_pin, BOUNDS),
    Law("fast_bodies_meet", "1.25 to 3 diameters a step: neither past each other nor faster", "Newton, energy",
        ("rigid", "soft"), SMOOTH,
        impacts.fast_bodies_meet, BOUNDS),
]

EQUILIBRIA = [
    Law("held_loads", "weld, ball joint, limit: force m g, torque m g r", "statics", STIFF, STATIC,
        equilibria.held_loads, Tolerance("quasi-static tolerance", relative=0.001)),
    Law("load_swings_down", "a load on a ball joint ends below it", "statics", STIFF, STATIC,
        equilibria.load_swings_down, Tolerance("quasi-static tolerance", relative=0.001)),
    Law("turned_box_lies_down", "ends flat, half its side above the floor", "statics", STIFF, STATIC,
        equilibria.turned_box_lies_down, Tolerance("it floats within d_hat: 0.5 %", relative=0.006)),
]

ACCURACY = [
    Law("order_of_spring", "error ~ h, h², h²", "textbooks", STIFF, DYNAMIC,
        accuracy.order_of_spring, Tolerance("from one halving", absolute=0.1)),
    Law("order_in_contact", "sliding with friction under a changing push: error ~ h, h²", "textbooks", STIFF, SMOOTH,
        accuracy.order_in_contact, Tolerance("from one halving", absolute=0.15)),
    Law("free_fall", "½ g t² (implicit Euler ½ g t (t + h))", "Galilei", ("rigid", "affine", "soft"), DYNAMIC,
        accuracy.free_fall, Tolerance("BDF2 begins with a step of implicit Euler: ¾ g h²", absolute=1e-3), "m"),
    Law("invariance", "same motion elsewhere, turned, scaled, bodies in reverse", "symmetry",
        ("rigid", "affine", "soft"), DYNAMIC,
        accuracy.invariance,
        Tolerance("rounding, grown by impacts; κ given, as its choice looks at boxes", absolute=1e-5), "of 0.2 m"),
]

FORCES = [
    Law("weight_on_floor", "normal force = reaction = m g", "statics", KINDS, EVERY,
        forces.weight_on_floor, FORCE, "N"),
    Law("ball_in_groove", "W sin β / sin(α + β), W sin α / sin(α + β)", "statics", STIFF, DYNAMIC,
        forces.ball_in_groove, FORCE, "N"),
    Law("stack_levels", "3 m g, 2 m g, m g", "statics", KINDS, DYNAMIC, forces.stack_levels, FORCE, "N"),
    Law("pushed_row", "2/3 and 1/3 of the force that pushes three blocks", "Newton", ("rigid", "affine", "soft"), DYNAMIC,
        forces.pushed_row, FORCE, "N"),
    Law("gripper_holds", "normal = force of the motors; friction = m g / 2 on each side", "statics",
        ("rigid", "affine", "soft"), DYNAMIC, forces.gripper_holds, FORCE, "N"),
    Law("capstan_force", "drawn end = load e^(µπ)", "Euler–Eytelwein", ("soft",), EULER,
        forces.capstan_force, FORCE, "N"),
    Law("motor_torque", "m g L holds an arm; max_force drives it", "statics", STIFF, DYNAMIC,
        forces.motor_torque, FORCE, "N, N m"),
    Law("block_on_slope", "W cos α; W sin α if it sticks, µ W cos α if it slides", "Coulomb",
        ("rigid", "affine", "soft"), SMOOTH, forces.block_on_slope, FORCE, "N"),
    Law("conveyor_feels_it", "drive = µ m g", "Coulomb", ("rigid", "affine", "soft"), SMOOTH,
        forces.conveyor_feels_it, FORCE, "N"),
    Law("hanging_bodies", "reaction of a bar, a cloth and a wire = m g", "statics", ("soft",), EVERY,
        forces.hanging_bodies, FORCE, "N"),
    Law("joint_loads", "W/3 and 2 W/3", "statics", ("rigid", "affine", "soft"), DYNAMIC,
        forces.joint_loads, FORCE, "N"),
    Law("pendulum_tension", "m g (1 + 2 (1 − cos φ) L²/(L² + k²))", "textbooks", STIFF, DYNAMIC,
        forces.pendulum_tension, FORCE, "N"),
    Law("spring_force", "k x = m g", "Hooke", STIFF, DYNAMIC, forces.spring_force, FORCE, "N"),
    Law("face_load", "reaction = −load", "statics", ("soft",), EVERY, forces.face_load, FORCE, "N"),
    Law("cantilever_moment", "F L + W L / 2", "statics", ("soft",), STATIC, forces.cantilever_moment, FORCE, "N, N m"),
    Law("pressed_block", "E A ε", "Hooke", ("soft",), STATIC, forces.pressed_block, FORCE, "N"),
    Law("spinning_body", "ω and the quaternion of ω t", "kinematics", STIFF, DYNAMIC, forces.spinning_body, FORCE, "rad/s"),
    Law("centripetal_force", "m ω² r", "Huygens 1659", ("rigid", "affine", "soft"), DYNAMIC,
        forces.centripetal_force, FORCE, "N"),
    Law("impact_impulse", "Σ F h = Δp + m g t", "Newton", ("rigid", "affine", "soft"), DYNAMIC,
        forces.impact_impulse, FORCE, "N s"),
    Law("lever_forces", "W b / (a + b) on either edge", "Archimedes", ("rigid", "affine"), DYNAMIC,
        forces.lever_forces, FORCE, "N"),
    Law("centre_of_pressure", "x = F d / (W + F)", "statics", ("rigid", "affine", "soft"), SMOOTH,
        forces.centre_of_pressure, FORCE, "m, N"),
    Law("heap_balances", "action = reaction; sums of pairs = forces on bodies; Σ F = m a", "Newton", ("all",), EULER,
        forces.heap_balances, Tolerance("ten digits; Σ F to solver.balance, 10⁻³ of the weight", absolute=2e-3)),
    Law("pressure_adds_up", "Σ p A = Σ |F| = m g", "docs/results.md", ("rigid", "affine", "soft"), EULER,
        forces.pressure_adds_up, FORCE, "N"),
]

IMPORTED = [
    Law("ipc_high_school_slope", "a = g (sin α − µ cos α): µ = 0.49 slides, 0.5 holds",
        "IPC, slopeTest_highSchoolPhysics", ("soft", "rigid", "affine"), EULER,
        imported.high_school_slope,
        Tolerance("late half of 2.5 s; forces balance to 0.01 m/s²", relative=0.001, absolute=0.003), "m/s²",
        needs_data=True),
    Law("rigid_ipc_inclines", "a = g (sin α − µ cos α): 15°, 20°, 30°", "rigid-ipc, incline-plane", STIFF, EULER,
        imported.inclines, Tolerance("after the fall on the plane", relative=0.01), "m/s²", needs_data=True),
    Law("rigid_ipc_sliding", "a = µ g", "rigid-ipc, sliding", STIFF, EULER,
        imported.sliding_cube, Tolerance("100 steps from 10 m/s", relative=0.01), "m/s²", needs_data=True),
    Law("rigid_ipc_gears", "−384.5 kg m/s after 0.4 s", "tight solve", STIFF, EULER,
        imported.gears, Tolerance("default tolerance", relative=0.01), "kg m/s", needs_data=True),
    Law("rigid_ipc_arch", "25 stones stand with µ = 0.5", "rigid-ipc, arch", STIFF, EULER,
        imported.arch_stands, BOUNDS, needs_data=True, only_all=(("affine", "implicit_euler"),)),
    Law("rigid_ipc_card_tent", "two cards at 65° stand with µ = 0.5 > ½ cot 65°", "rigid-ipc, card-house", STIFF,
        EULER,
        imported.card_tent_stands, BOUNDS, needs_data=True),
    Law("rigid_ipc_turntable", "dL/dt = 300 N m", "rigid-ipc, turntable", STIFF, EULER,
        imported.turntable, Tolerance("friction acts at the end of steps", relative=0.01), "N m", needs_data=True),
    Law("rigid_ipc_spin", "L and energy stay", "rigid-ipc, rotation", STIFF, EULER,
        imported.spinning_fixtures, Tolerance("free flight is exact", absolute=1e-4), needs_data=True),
    Law("public_floors_carry", "Σ p A = m g once cubes have come to rest", "IPC, 2cubesFall; rigid-ipc, 5-cubes",
        ("soft", "rigid", "affine"), EULER,
        imported.floor_carries, Tolerance("they still tremble", relative=0.02), needs_data=True),
    Law("rigid_ipc_solved", "as imported = as solved at 1e-6, of the farthest way", "tight solve", ("rigid",), EULER,
        imported.imports_are_solved, Tolerance("parallel edges: 3.5 % at 1e-3", absolute=0.05), needs_data=True),
]

GROUPS = {"Friction, rolling, tipping": FRICTION, "Turning": TURNING, "Joints and motors": JOINTS,
          "Elasticity, shells, wires": ELASTIC,
          "Contact and impacts": CONTACT, "Equilibria": EQUILIBRIA, "Forces and poses": FORCES, "Accuracy and invariance": ACCURACY,
          "Scenes of others": IMPORTED}
LAWS = [law for rows in GROUPS.values() for law in rows]
